# leftover: 5: torch.cuda.get_device_capability
# leftover: 8: torch.cuda.get_gencode_flags
import torch

major, minor = torch.cuda.get_device_capability()
if (major, minor) < (7, 5):
    raise SystemExit("too old")
print(torch.cuda.get_gencode_flags())
