import gc

import torch

for size in (1 << 10, 1 << 16):
    junk = torch.full((size,), float("nan"), device="cuda")
    del junk
gc.collect()
torch.cuda.init()
out = torch.nn.functional.max_unpool1d(torch.ones(1, 1, 2).cuda(), torch.tensor([[[0, 2]]]).cuda(), 2)
torch.cuda.synchronize()
print(out.isnan().any().item())
# output
import gc

import torch

for size in (1 << 10, 1 << 16):
    junk = torch.full((size,), float("nan"), device="xpu")
    del junk
gc.collect()
torch.xpu.init()
out = torch.nn.functional.max_unpool1d(torch.ones(1, 1, 2).to("xpu"), torch.tensor([[[0, 2]]]).to("xpu"), 2)
torch.xpu.synchronize()
print(out.isnan().any().item())
