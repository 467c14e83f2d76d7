# leftover: 11: torch.cuda.nvtx
# leftover: 12: torch.cuda as a whole
import torch

gpu = torch.cuda
wait = torch.cuda.synchronize
gpu.empty_cache()
with gpu.stream(gpu.Stream()):
    x = torch.ones(2, device="cuda")
wait()
gpu.nvtx.mark("here")
both = torch.cuda if x.is_cuda else torch.cpu
# output
import torch

gpu = torch.xpu
wait = torch.xpu.synchronize
gpu.empty_cache()
with gpu.stream(gpu.Stream()):
    x = torch.ones(2, device="xpu")
wait()
gpu.nvtx.mark("here")
both = torch.cuda if x.is_xpu else torch.cpu
