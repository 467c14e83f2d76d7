# leftover: 5: second XPU device
import torch

first = torch.arange(6, device="cuda:0")
second = first.to("cuda:1")
print(torch.equal(first.cpu(), second.cpu()))
# output
import torch

first = torch.arange(6, device="xpu:0")
second = first.to("cuda:1")
print(torch.equal(first.cpu(), second.cpu()))
