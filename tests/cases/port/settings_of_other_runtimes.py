import os

import torch

os.environ["ONEAPI_DEVICE_SELECTOR"] = "level_zero:0"
os.environ["PYTORCH_DEBUG_XPU_FALLBACK"] = "1"
os.environ.setdefault("ZE_AFFINITY_MASK", "0")
print(torch.xpu.is_available(), os.environ.get("HOME") is not None)
