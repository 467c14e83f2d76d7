# leftover: 7: asks for cuDNN
# leftover: 8: asks for cuDNN
# leftover: 10: cuDNN
# leftover: 12: cuDNN
import torch

torch.backends.cudnn.enabled = True
with torch.backends.cudnn.flags(enabled=True, deterministic=True):
    x = torch.ones(1)
if torch.backends.cudnn.is_available():
    print(x)
saved = torch.backends.cudnn.benchmark
