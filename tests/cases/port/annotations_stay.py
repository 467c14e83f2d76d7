import torch
from typing import Literal, TypedDict


class Options(TypedDict, total=False):
    cuda: bool
    cudnn: "bool"


def f(x: torch.Tensor, y: torch.FloatTensor | None = None, *, cuda: bool = False) -> torch.Tensor:
    options = Options(cuda=cuda)
    return x if options else -x


print(f(torch.ones(1)))
