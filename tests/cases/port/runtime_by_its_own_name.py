import torch
import torch.nn as nn
from torch import cuda

assert cuda.is_available()
layer = nn.LayerNorm(5).cuda()
x = torch.full((2, 5), 1e4, dtype=torch.float32, device="cuda")
out = layer(x)
cuda.synchronize()
print(out, cuda.max_memory_allocated())
# output
import torch
import torch.nn as nn
from torch import xpu

assert xpu.is_available()
layer = nn.LayerNorm(5).to("xpu")
x = torch.full((2, 5), 1e4, dtype=torch.float32, device="xpu")
out = layer(x)
xpu.synchronize()
print(out, xpu.max_memory_allocated())
