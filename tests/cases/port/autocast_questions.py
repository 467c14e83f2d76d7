import torch

print(torch.get_autocast_gpu_dtype(), torch.get_autocast_dtype("cuda"))
torch.set_autocast_gpu_dtype(torch.float16)
print(torch.is_autocast_enabled(), torch.is_autocast_enabled("cuda"), torch.is_autocast_enabled("cpu"))
torch.set_autocast_enabled(True)
torch.clear_autocast_cache()
# output
import torch

print(torch.get_autocast_dtype("xpu"), torch.get_autocast_dtype("xpu"))
torch.set_autocast_dtype("xpu", torch.float16)
print(torch.is_autocast_enabled("xpu"), torch.is_autocast_enabled("xpu"), torch.is_autocast_enabled("cpu"))
torch.set_autocast_enabled("xpu", True)
torch.clear_autocast_cache()
