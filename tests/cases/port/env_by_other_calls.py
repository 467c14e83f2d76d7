# leftover: 12: CUDA_VISIBLE_DEVICES (does not matter)
import os
from os import environ

os.environ.setdefault("CUDA_LAUNCH_BLOCKING", "1")
environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
os.environ.pop("NVIDIA_TF32_OVERRIDE", None)
environ.setdefault("OMP_NUM_THREADS", "2")

import torch

print(os.environ.get("CUDA_VISIBLE_DEVICES"))
print(torch.ones(1).to("cuda"))
# output
import os
from os import environ

pass
pass
pass
environ.setdefault("OMP_NUM_THREADS", "2")

import torch

print(os.environ.get("CUDA_VISIBLE_DEVICES"))
print(torch.ones(1).to("xpu"))
