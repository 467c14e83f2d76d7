import torch
from torch import cuda as gpu
from torch import cuda
from torch.cuda import Event, synchronize as wait

start = Event(enable_timing=True)
x = torch.ones(3)
gpu.synchronize()
cuda.empty_cache()
wait()
# output
import torch
from torch import xpu as gpu
from torch import xpu
from torch.xpu import Event, synchronize as wait

start = Event(enable_timing=True)
x = torch.ones(3)
gpu.synchronize()
xpu.empty_cache()
wait()
