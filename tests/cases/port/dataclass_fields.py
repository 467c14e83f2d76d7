import torch
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Setup:
    device: str = "cuda"
    control: str = "cpu"
    devices: tuple[str, ...] = ("cpu", "cuda")
    use_cuda: bool = True
    options: dict = field(default_factory=lambda: {"device": "cuda"})


setup = Setup()
print(torch.zeros(1, **setup.options), setup.use_cuda, Setup(device="cuda:0").device)
# output
import torch
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Setup:
    device: str = "xpu"
    control: str = "cpu"
    devices: tuple[str, ...] = ("cpu", "xpu")
    use_cuda: bool = True
    options: dict = field(default_factory=lambda: {"device": "xpu"})


setup = Setup()
print(torch.zeros(1, **setup.options), setup.use_cuda, Setup(device="xpu:0").device)
