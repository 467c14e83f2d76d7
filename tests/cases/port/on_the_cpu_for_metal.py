# device: cpu
# leftover: 9: torch.cuda.device
import torch

x = torch.ones(2, device="mps")
torch.mps.synchronize()
for device in ("cpu", "mps", "cuda"):
    print(torch.ones(1, device=device), x.to(0))
with torch.cuda.device(0):
    print(x)
# output
import torch

x = torch.ones(2, device="cpu")
torch.cpu.synchronize()
for device in ("cpu", "cpu", "cpu"):
    print(torch.ones(1, device=device), x.to("cpu"))
with torch.cuda.device(0):
    print(x)
