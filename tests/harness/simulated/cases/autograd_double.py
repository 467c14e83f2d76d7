"""Autograd double."""

import torch

torch.manual_seed(0)
x = torch.tensor([1.0, 2.0, 3.0], device="xpu", requires_grad=True)
(first,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
(second,) = torch.autograd.grad(first.sum(), x)
print(first, second)
