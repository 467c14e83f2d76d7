import torch

device = "xpu" if torch.xpu.is_available() else "cuda" if torch.cuda.is_available() else "cpu"
x = torch.arange(6.0, device=device)
assert x.device.type in ("cuda", "xpu", "cpu")
print(x.is_cuda or x.is_xpu, x.var())
# output
import torch

device = "xpu" if torch.xpu.is_available() else "xpu" if torch.xpu.is_available() else "cpu"
x = torch.arange(6.0, device=device)
assert x.device.type in ("cuda", "xpu", "cpu")
print(x.is_xpu or x.is_xpu, x.var())
