# leftover: 15: torch.cuda.nvtx
# leftover: 16: torch.cuda.cudart
import importlib
import sys
from unittest.mock import patch

import torch

runtime = getattr(torch, "cuda")
if hasattr(torch.cuda, "mem_get_info") and hasattr(torch, "cuda"):
    print(getattr(torch.cuda, "memory_allocated")())
same = sys.modules["torch.cuda"] is importlib.import_module("torch.cuda")
with patch("torch.cuda.is_available", return_value=True), patch.object(torch.cuda, "synchronize"):
    print(same, runtime.is_available())
print(getattr(torch.cuda, "nvtx", None))
name = "torch.cuda.cudart"
print(hasattr(torch.ones(1), "is_cuda"), getattr(torch.ones(1), "device"))
# output
import importlib
import sys
from unittest.mock import patch

import torch

runtime = getattr(torch, "xpu")
if hasattr(torch.xpu, "mem_get_info") and hasattr(torch, "xpu"):
    print(getattr(torch.xpu, "memory_allocated")())
same = sys.modules["torch.xpu"] is importlib.import_module("torch.xpu")
with patch("torch.xpu.is_available", return_value=True), patch.object(torch.xpu, "synchronize"):
    print(same, runtime.is_available())
print(getattr(torch.cuda, "nvtx", None))
name = "torch.cuda.cudart"
print(hasattr(torch.ones(1), "is_xpu"), getattr(torch.ones(1), "device"))
