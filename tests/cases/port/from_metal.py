import torch

x = torch.arange(12.0, device="mps").reshape(3, 4)
torch.mps.synchronize()
print(x.is_mps, x.t().to("cpu"))
# output
import torch

x = torch.arange(12.0, device="xpu").reshape(3, 4)
torch.xpu.synchronize()
print(x.is_xpu, x.t().to("cpu"))
