"""Autograd function."""

import torch

torch.manual_seed(0)
class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.save_for_backward(x)
        ctx.limit = limit
        return x.clamp(-limit, limit), x * 2

    @staticmethod
    def backward(ctx, grad, other):
        (x,) = ctx.saved_tensors
        return grad * (x.abs() <= ctx.limit) + 2 * other, None

x = torch.tensor([-3.0, 0.5, 2.0], device="xpu", requires_grad=True)
clipped, doubled = Clip.apply(x, 1.0)
clipped.sum().backward()
print(clipped, x.grad)
print(torch.autograd.gradcheck(lambda t: Clip.apply(t, 10.0)[0], x.detach().double().requires_grad_()))
