"""Autograd hooks."""

import torch

torch.manual_seed(0)
x = torch.ones(3, device="xpu", requires_grad=True)
seen = []
x.register_hook(lambda grad: grad * 2)
x.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.clone()))
(x * 3).sum().backward()
print(x.grad, seen)
layer = torch.nn.Linear(2, 1, bias=False).to("xpu")
torch.nn.init.ones_(layer.weight)
layer.register_forward_hook(lambda module, given, made: made + 1)
layer.register_full_backward_hook(lambda module, into, out: print(out[0]))
layer(torch.ones(1, 2, device="xpu", requires_grad=True)).sum().backward()
