# leftover: 9: CUDA_VISIBLE_DEVICES (does not matter)
# leftover: 10: CUDA_LAUNCH_BLOCKING
# leftover: 12: CUDA_DEVICE_ORDER
import os
from os import environ, getenv

import torch

print(os.environ.get("CUDA_VISIBLE_DEVICES", "all"))
blocking = environ.get("CUDA_LAUNCH_BLOCKING") == "1"
conf = getenv("PYTORCH_CUDA_ALLOC_CONF")
if "CUDA_DEVICE_ORDER" in environ:
    print(torch.ones(1), os.environ["HOME"])
# output
import os
from os import environ, getenv

import torch

print(os.environ.get("CUDA_VISIBLE_DEVICES", "all"))
blocking = environ.get("CUDA_LAUNCH_BLOCKING") == "1"
conf = getenv("PYTORCH_ALLOC_CONF")
if "CUDA_DEVICE_ORDER" in environ:
    print(torch.ones(1), os.environ["HOME"])
