# leftover: 6: imports from torch.cuda
# leftover: 7: imports from torch.cuda
# leftover: 11: name of torch.cuda that was imported
# leftover: 12: name of torch.cuda that was imported
import torch
from torch import cuda as gpu
from torch.cuda import Event, synchronize

start = Event(enable_timing=True)
x = torch.ones(3)
gpu.synchronize()
gpu.empty_cache()
synchronize()
