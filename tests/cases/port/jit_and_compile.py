import torch


@torch.compile(dynamic=True)
def fused(x: torch.Tensor, device: str = "cuda") -> torch.Tensor:
    """Runs on cuda."""
    return (x.to(device) * 2).softmax(-1)


@torch.jit.script
def scripted(x: torch.Tensor) -> torch.Tensor:
    if x.is_cuda:
        return x + 1
    return x


x = torch.randn(4, 4, device="cuda")
print(fused(x), scripted(x))
# output
import torch


@torch.compile(dynamic=True)
def fused(x: torch.Tensor, device: str = "xpu") -> torch.Tensor:
    """Runs on cuda."""
    return (x.to(device) * 2).softmax(-1)


@torch.jit.script
def scripted(x: torch.Tensor) -> torch.Tensor:
    if x.is_xpu:
        return x + 1
    return x


x = torch.randn(4, 4, device="xpu")
print(fused(x), scripted(x))
