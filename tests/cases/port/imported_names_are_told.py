# leftover: 7: imports torch.cuda.nvtx, of which XPU has no counterpart
# leftover: 8: imports all names of torch.cuda
# leftover: 9: cupy works on the source device alone
# leftover: 12: no counterpart of torch.cuda.nvtx
# leftover: 13: torch.cuda as a whole
import torch
from torch.cuda import nvtx
from torch.cuda import *
import cupy

x = torch.ones(3)
nvtx.mark("here")
print(vars(torch.cuda).keys())
