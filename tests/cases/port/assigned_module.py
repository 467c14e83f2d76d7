import torch

runtime = torch.cuda
runtime.synchronize()
x = torch.ones(2, device="cuda")
if hasattr(torch.cuda, "mem_get_info"):
    print(runtime.mem_get_info())
wait = getattr(torch.cuda, "synchronize")
wait()
print(getattr(torch, "cuda").is_available())
# output
import torch

runtime = torch.xpu
runtime.synchronize()
x = torch.ones(2, device="xpu")
if hasattr(torch.xpu, "mem_get_info"):
    print(runtime.mem_get_info())
wait = getattr(torch.xpu, "synchronize")
wait()
print(getattr(torch, "xpu").is_available())
