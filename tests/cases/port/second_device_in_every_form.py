# leftover: 10: second XPU device
# leftover: 11: second XPU device
# leftover: 12: second XPU device
# leftover: 13: second XPU device
# leftover: 14: second XPU device
# leftover: 15: second XPU device
# leftover: 16: asks for a second XPU device
import torch

x = torch.zeros(2, device=1)
torch.cuda.set_device(1)
y = x.to("cuda:0").cuda(device=1)
z = torch.ones(1, device=torch.device("cuda", 1))
with torch.cuda.device(2):
    print(x, z, torch.cuda.memory_allocated(1))
if torch.cuda.device_count() < 2:
    raise SystemExit(0)
# output
import torch

x = torch.zeros(2, device=1)
torch.cuda.set_device(1)
y = x.to("xpu:0").cuda(device=1)
z = torch.ones(1, device=torch.device("cuda", 1))
with torch.cuda.device(2):
    print(x, z, torch.cuda.memory_allocated(1))
if torch.cuda.device_count() < 2:
    raise SystemExit(0)
