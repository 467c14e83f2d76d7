# leftover: 11: compared with: CUDA
import torch

x = torch.ones(2, 3, device="cuda")
try:
    torch.gather(x, 1, torch.tensor([[9]], device="cuda"))
    torch.cuda.synchronize()
except torch.cuda.OutOfMemoryError:
    print("out of memory")
except RuntimeError as error:
    print("CUDA error" in str(error), "device-side assert" in str(error))
else:
    raise AssertionError("cuda accepted an index that is out of range")
# output
import torch

x = torch.ones(2, 3, device="xpu")
try:
    torch.gather(x, 1, torch.tensor([[9]], device="xpu"))
    torch.xpu.synchronize()
except torch.OutOfMemoryError:
    print("out of memory")
except RuntimeError as error:
    print("CUDA error" in str(error), "device-side assert" in str(error))
else:
    raise AssertionError("cuda accepted an index that is out of range")
