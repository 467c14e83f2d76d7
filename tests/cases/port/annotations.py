import torch
from torch import Tensor
from typing import Optional

x: torch.cuda.FloatTensor = torch.ones(2, device="cuda")
s: Optional[torch.cuda.Stream] = None


def f(a: torch.cuda.LongTensor, b: Tensor = x, *rest: torch.cuda.Event, device: str = "cuda") -> "Tensor":
    return a + b


def g(a: list[torch.cuda.HalfTensor]) -> torch.cuda.HalfTensor:
    return torch.stack(a)


print(f(x), g([x]))
# output
import torch
from torch import Tensor
from typing import Optional

x: torch.Tensor = torch.ones(2, device="xpu")
s: Optional[torch.xpu.Stream] = None


def f(a: torch.Tensor, b: Tensor = x, *rest: torch.xpu.Event, device: str = "xpu") -> "Tensor":
    return a + b


def g(a: list[torch.Tensor]) -> torch.Tensor:
    return torch.stack(a)


print(f(x), g([x]))
