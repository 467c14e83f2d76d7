# leftover: 10: second XPU device
# leftover: 11: second XPU device
# leftover: 12: can't be told apart
import torch

x = torch.linspace(0, 1, 9)
a = x.cuda(0)
b = x.cuda(device=None, non_blocking=True)
c = x.cuda(torch.device("cuda", 0), True)
d = x.cuda(1)
e = x.cuda(non_blocking=True, device = 1)
f = x.cuda(*places)
g = x.cuda(  # where it was before
    device=a.device,
)
# output
import torch

x = torch.linspace(0, 1, 9)
a = x.to("xpu")
b = x.to("xpu", non_blocking=True)
c = x.to(torch.device("xpu", 0), non_blocking=True)
d = x.cuda(1)
e = x.cuda(non_blocking=True, device = 1)
f = x.cuda(*places)
g = x.to(a.device)
