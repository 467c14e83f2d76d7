import torch
from dataclasses import dataclass, field


@dataclass
class Config:
    device: str = "cuda"
    devices: list[str] = field(default_factory=lambda: ["cpu", "cuda:0"])
    cuda: bool = True
    rows: int = 1025


def norm(x: torch.cuda.FloatTensor, out: "torch.Tensor | None" = None) -> torch.Tensor:
    return torch.linalg.vector_norm(x, out=out)


config = Config(device="cuda:0")
print(norm(torch.ones(config.rows, device=config.device)), config.cuda)
# output
import torch
from dataclasses import dataclass, field


@dataclass
class Config:
    device: str = "xpu"
    devices: list[str] = field(default_factory=lambda: ["cpu", "xpu:0"])
    cuda: bool = True
    rows: int = 1025


def norm(x: torch.Tensor, out: "torch.Tensor | None" = None) -> torch.Tensor:
    return torch.linalg.vector_norm(x, out=out)


config = Config(device="xpu:0")
print(norm(torch.ones(config.rows, device=config.device)), config.cuda)
