"""Functional transforms."""

import torch

torch.manual_seed(0)
from torch.func import functional_call, grad, hessian, jacfwd, jacrev, jvp, vjp, vmap

def f(a):
    return (a**3).sum()

x = torch.tensor([1.0, 2.0], device="xpu")
print(grad(f)(x), hessian(f)(x), jacfwd(torch.sin)(x), jacrev(torch.sin)(x))
print(jvp(f, (x,), (x,)), vjp(f, x)[1](torch.ones((), device="xpu")))
print(vmap(torch.dot)(torch.ones(3, 2, device="xpu"), torch.ones(3, 2, device="xpu")))
