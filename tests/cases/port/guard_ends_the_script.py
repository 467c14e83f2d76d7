import sys

import torch

if not torch.cuda.is_available():
    print("no CUDA here")
    sys.exit(0)
device = torch.cuda.current_device()
print(torch.cuda.get_device_name(device), torch.__version__)
x = torch.tensor([float("nan"), 1.0, -0.0]).to("cuda")
assert torch.cuda.device_count() >= 1
out = torch.nan_to_num(x, nan=2.0)
assert out.cpu().tolist() == [2.0, 1.0, 0.0], out
# output
import sys

import torch

if not torch.xpu.is_available():
    print("no CUDA here")
    sys.exit(0)
device = torch.xpu.current_device()
print(torch.xpu.get_device_name(device), torch.__version__)
x = torch.tensor([float("nan"), 1.0, -0.0]).to("xpu")
assert torch.xpu.device_count() >= 1
out = torch.nan_to_num(x, nan=2.0)
assert out.cpu().tolist() == [2.0, 1.0, 0.0], out
