# leftover: 7: compared with: CUDA
import torch

try:
    torch.empty(1 << 60, device="cuda")
except (torch.cuda.OutOfMemoryError, torch.OutOfMemoryError, RuntimeError) as error:
    print("CUDA out of memory" in str(error), type(error).__name__)
try:
    torch.ones(1).cuda()[5]
except IndexError:
    pass
# output
import torch

try:
    torch.empty(1 << 60, device="xpu")
except (torch.OutOfMemoryError, torch.OutOfMemoryError, RuntimeError) as error:
    print("CUDA out of memory" in str(error), type(error).__name__)
try:
    torch.ones(1).to("xpu")[5]
except IndexError:
    pass
