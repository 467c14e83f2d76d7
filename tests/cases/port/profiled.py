import torch
from torch.profiler import ProfilerActivity, profile, record_function

x = torch.randn(64, 64, device="cuda")
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True) as prof:
    with record_function("median on cuda"):
        for _ in range(4):
            x.median(dim=0)
    torch.cuda.synchronize()
print(prof.key_averages().table(sort_by="self_cuda_time_total", row_limit=5))
# output
import torch
from torch.profiler import ProfilerActivity, profile, record_function

x = torch.randn(64, 64, device="xpu")
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.XPU], record_shapes=True) as prof:
    with record_function("median on cuda"):
        for _ in range(4):
            x.median(dim=0)
    torch.xpu.synchronize()
print(prof.key_averages().table(sort_by="self_device_time_total", row_limit=5))
