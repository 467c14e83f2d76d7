import torch

with torch.device("cuda"):
    a = torch.rand(3)
with torch.device("cpu"), torch.cuda.device(0):
    b = torch.rand(3)
with torch.cuda.device("cuda:0"), torch.cuda.device_of(a):
    c = torch.rand(3, device="cuda")
with torch.device(type="cuda", index=0) as device:
    d = a + c
print(b, d)
# output
import torch

with torch.device("xpu"):
    a = torch.rand(3)
with torch.device("cpu"), torch.xpu.device(0):
    b = torch.rand(3)
with torch.xpu.device("xpu:0"), torch.xpu.device_of(a):
    c = torch.rand(3, device="xpu")
with torch.device(type="xpu", index=0) as device:
    d = a + c
print(b, d)
