# An exception of torch that leaves the script, with another behind it.
import torch


def inner(x):
    return x @ torch.ones(3)


try:
    inner(torch.ones(2))
except RuntimeError as error:
    raise ValueError("no \udcff surrogate") from error
