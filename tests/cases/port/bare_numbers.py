import torch

x = torch.ones(2, 3, device=0)
y = x.cpu().to(0, non_blocking=True).to(device=0)
z = torch.load("state.pt", map_location=0) if False else torch.device(0)
print(y, z, y.sum(0), y.size(1), y.view(3, 2).to(torch.float16).select(0, 1))
# output
import torch

x = torch.ones(2, 3, device="xpu:0")
y = x.cpu().to("xpu:0", non_blocking=True).to(device="xpu:0")
z = torch.load("state.pt", map_location="xpu:0") if False else torch.device("xpu:0")
print(y, z, y.sum(0), y.size(1), y.view(3, 2).to(torch.float16).select(0, 1))
