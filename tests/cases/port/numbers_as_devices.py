# leftover: 9: second XPU device
import torch

x = torch.zeros(4, device=0)
y = torch.ones(4).to(0)
z = torch.ones(4).to(device=0, dtype=torch.float64)
w = torch.empty(4, device=torch.device(0))
print((x + y + z).tolist(), x.get_device(), x.sum(0), y.view(4, 1).size(0))
v = torch.full((2,), 0).cuda(1)
# output
import torch

x = torch.zeros(4, device="xpu:0")
y = torch.ones(4).to("xpu:0")
z = torch.ones(4).to(device="xpu:0", dtype=torch.float64)
w = torch.empty(4, device=torch.device("xpu:0"))
print((x + y + z).tolist(), x.get_device(), x.sum(0), y.view(4, 1).size(0))
v = torch.full((2,), 0).cuda(1)
