# leftover: 8: it asks for cuDNN itself if on says so
# leftover: 9: it asks for cuDNN itself
# leftover: 10: it asks for cuDNN itself if
# leftover: 14: it asks for cuDNN itself if on says so
import torch

for on in (True, False):
    torch.backends.cudnn.enabled = on
    torch.backends.cudnn.enabled = 1
    torch.backends.cudnn.benchmark, torch.backends.cudnn.enabled = False, on
    torch.backends.cudnn.benchmark = on
    torch.backends.cuda.matmul.allow_tf32 = on
    torch.backends.cudnn.enabled = 0
    with torch.backends.cudnn.flags(enabled=on):
        pass
    with torch.backends.cudnn.flags(False, True):
        pass
# output
import torch

for on in (True, False):
    torch.backends.cudnn.enabled = on
    torch.backends.cudnn.enabled = 1
    torch.backends.cudnn.benchmark, torch.backends.cudnn.enabled = False, on
    pass
    pass
    pass
    with torch.backends.cudnn.flags(enabled=on):
        pass
    with __import__("contextlib").nullcontext():
        pass
