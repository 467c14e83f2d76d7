import torch

sym_3 = "cuda"
# sym_3 = "cpu"
# sym_3 = "cuda:1"


def helper(a, b):
    return torch.nn.functional.pairwise_distance(a, b)


def middle(n):
    return helper(torch.zeros(n, 3, device=sym_3), torch.ones(n, 3, device=sym_3))


print(middle(2).to("cpu"), sym_3 != "cpu")
# output
import torch

sym_3 = "xpu"
# sym_3 = "cpu"
# sym_3 = "cuda:1"


def helper(a, b):
    return torch.nn.functional.pairwise_distance(a, b)


def middle(n):
    return helper(torch.zeros(n, 3, device=sym_3), torch.ones(n, 3, device=sym_3))


print(middle(2).to("cpu"), sym_3 != "cpu")
