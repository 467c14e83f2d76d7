"""Modules mlp."""

import torch

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.LayerNorm(8), torch.nn.Linear(8, 2)).to("xpu")
x = torch.randn(5, 4).to("xpu")
loss = torch.nn.functional.cross_entropy(model(x), torch.tensor([0, 1, 0, 1, 1], device="xpu"))
loss.backward()
print(f"{loss.item():.5f}", [tuple(p.grad.shape) for p in model.parameters()], {str(p.device) for p in model.parameters()})
print(round(torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1).item(), 5))
