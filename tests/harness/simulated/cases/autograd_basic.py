"""Autograd basic."""

import torch

torch.manual_seed(0)
x = torch.arange(6.0, device="xpu").reshape(2, 3).requires_grad_()
y = (x * x).sum(1)
print(y, y.grad_fn is not None)
y.sum().backward()
y = (x.exp() / 10).sum()
y.backward()
print(x.grad)
