# leftover: 7: no counterpart of torch.cuda.FloatTensor
# leftover: 8: no counterpart of torch.cuda.nvtx
# leftover: 9: no counterpart of torch.cuda.cudart
# leftover: 10: torch.cuda as a whole
import torch

old = torch.cuda.FloatTensor(4, 4).zero_()
torch.cuda.nvtx.range_push("median")
torch.cuda.cudart().cudaProfilerStart()
runtime = torch.cuda
runtime.synchronize()
print(old.median(dim=1))
