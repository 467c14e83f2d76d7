# leftover: 7: second XPU device
# leftover: 9: second XPU device
# leftover: 10: second XPU device
import torch

a = torch.ones(3, device="cuda:0")
b = torch.ones(3, device="cuda:1")
torch.cuda.set_device(0)
c = a.to(1)
d = b.cuda(1)
print(torch.equal(a.cpu(), b.cpu()))
# output
import torch

a = torch.ones(3, device="xpu:0")
b = torch.ones(3, device="cuda:1")
torch.xpu.set_device(0)
c = a.to(1)
d = b.cuda(1)
print(torch.equal(a.cpu(), b.cpu()))
