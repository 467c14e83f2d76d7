"""In place and out."""

import torch

torch.manual_seed(0)
x = torch.zeros(2, 3, device="xpu")
print(x.add_(1).mul_(2) is x, x)
out = torch.empty(0, device="xpu")
torch.add(x, x, out=out)
print(out.shape, out)
x.unsqueeze_(0).transpose_(1, 2)
print(x.shape, x.stride())
x.squeeze_()
x.resize_(2, 2).fill_(7)
print(x, x.zero_().sum())
values, indices = torch.empty(2, device="xpu"), torch.empty(2, dtype=torch.long, device="xpu")
torch.max(torch.tensor([[1.0, 5.0], [7.0, 2.0]], device="xpu"), 1, out=(values, indices))
print(values, indices, x.copy_(torch.ones(2, 2)), x.data_ptr() != 0)
