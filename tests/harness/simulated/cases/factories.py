"""Factories."""

import torch

torch.manual_seed(0)
print(torch.ones(2, device="xpu"), torch.zeros(2, device=torch.device("xpu")), torch.full((2,), 3, device="xpu"), torch.arange(3, device="xpu"))
print(torch.eye(2, device="xpu"), torch.linspace(0, 1, 3, device="xpu"), torch.tensor([[1, 2]], device="xpu"), torch.as_tensor([1.0], device="xpu"))
x = torch.ones(2, 2, device="xpu")
print(x.new_zeros(2), x.new_full((1,), 4), x.new_tensor([5]), torch.zeros_like(x), torch.ones_like(x, dtype=torch.int), x.new_ones(1, device="cpu"))
print(torch.empty_strided((2, 3), (1, 2), device="xpu").stride(), torch.tril_indices(2, 2, device="xpu"), torch.complex(x, x))
print(torch.from_numpy(__import__("numpy").ones(2)).to("xpu"), torch.hann_window(4, device="xpu"), torch.empty(0, device="xpu"))
