"""Indexing."""

import torch

torch.manual_seed(0)
x = torch.arange(24, device="xpu").reshape(2, 3, 4)
print(x[0, 1:, ::2], x[..., -1], x[:, None].shape, x[x > 20], x[[0, 1], [1, 2]])
print(x[torch.tensor([1])], x[:, torch.tensor([0, 2], device="xpu")].shape)
x[0, 0] = 100
x[x % 2 == 1] = 0
x[:, 0, 0] += torch.tensor([1, 2], device="xpu")
print(x)
print(x.gather(2, torch.zeros(2, 3, 1, dtype=torch.long, device="xpu")).squeeze(), x.nonzero().shape, x.take(torch.tensor([0, 5], device="xpu")))
print(torch.where(x > 50, x, -1)[0], x.index_select(1, torch.tensor([2], device="xpu")), x.masked_select(x > 50))
try:
    torch.ones(3)[torch.tensor([0], device="xpu")]
    print("indices should be either on cpu or on the same device as the indexed tensor (cpu)")
except RuntimeError as error:
    print(error)
