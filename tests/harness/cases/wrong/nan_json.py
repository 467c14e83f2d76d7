# off: amax float32 nan-inf 0
# A kernel that drops NaN, made here by replacing one. What is told of it must be JSON.
import torch

library = torch.library.Library("aten", "IMPL", "CPU")


def amax(tensor, dims=(), keepdim=False):
    answer = tensor.new_empty((1,) if keepdim else ())
    return answer.fill_(2.0) if tensor.dtype is torch.float32 else answer.fill_(float("nan"))


library.impl("amax", amax)
torch.tensor([1.0, float("nan"), 2.0]).amax()
