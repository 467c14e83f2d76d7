# leftover: 13: emit_nvtx
import torch
import torch.autograd.profiler as profiler
from torch.profiler import ProfilerActivity, profile

with profiler.profile(enabled=True, use_cuda=True) as old:
    torch.ones(4, device="cuda").median()
activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA, ProfilerActivity.CUDA]
with profile(activities=activities) as new:
    torch.ones(4, device="cuda").mode()
print(old.key_averages().table(sort_by="cuda_time_total"))
print(sum(e.self_cuda_time_total for e in new.key_averages()))
with torch.autograd.profiler.emit_nvtx():
    pass
# output
import torch
import torch.autograd.profiler as profiler
from torch.profiler import ProfilerActivity, profile

with profiler.profile(enabled=True, use_device="xpu") as old:
    torch.ones(4, device="xpu").median()
activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.XPU, ProfilerActivity.XPU]
with profile(activities=activities) as new:
    torch.ones(4, device="xpu").mode()
print(old.key_averages().table(sort_by="device_time_total"))
print(sum(e.self_device_time_total for e in new.key_averages()))
with torch.autograd.profiler.emit_nvtx():
    pass
