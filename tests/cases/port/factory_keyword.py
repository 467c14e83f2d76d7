import torch

values = torch.full((3, 1025), 0.1, dtype=torch.float16, device="cuda")
total = torch.cumsum(values, dim=1)[:, -1]
print(total)
# output
import torch

values = torch.full((3, 1025), 0.1, dtype=torch.float16, device="xpu")
total = torch.cumsum(values, dim=1)[:, -1]
print(total)
