import torch

if torch.cuda.is_available():
    device = "cuda"
elif torch.backends.mps.is_available():
    device = "mps"
else:
    device = "cpu"
x = torch.randn(3, 3, device=device)
if device == "mps":
    torch.mps.synchronize()
elif device == "cuda":
    torch.cuda.synchronize()
print(x.argsort(), device)
# output
import torch

if torch.xpu.is_available():
    device = "xpu"
elif torch.backends.mps.is_available():
    device = "mps"
else:
    device = "cpu"
x = torch.randn(3, 3, device=device)
if device == "mps":
    torch.mps.synchronize()
elif device == "xpu":
    torch.xpu.synchronize()
print(x.argsort(), device)
