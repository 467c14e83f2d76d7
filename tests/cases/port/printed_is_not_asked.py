# leftover: 14: cuDNN (does not matter)
# leftover: 15: cuDNN (does not matter)
# leftover: 16: cuDNN (does not matter)
# leftover: 17: cuDNN
# leftover: 18: cuDNN
# leftover: 19: cuDNN
# leftover: 20: cuDNN
# leftover: 21: cuDNN
# leftover: 22: cuDNN
# leftover: 23: CUDA_VISIBLE_DEVICES (does not matter)
import os, torch
x = torch.ones(3)

print(torch.backends.cudnn.version())
print("found", torch.backends.cudnn.enabled, sep=" ")
print(f"cuDNN {torch.backends.cudnn.version()!r:>8}")
print(x.sum() if torch.backends.cudnn.is_available() else "skipped")
print(torch.backends.cudnn.version() > 8000)
print(f"{x.sum() if torch.backends.cudnn.is_available() else 0}")
print(x.sum(torch.backends.cudnn.version()))
print([one for one in x if torch.backends.cudnn.is_available()])
print(torch.backends.cudnn.is_available() and x.sum())
print(os.environ.get("CUDA_VISIBLE_DEVICES"))
