# leftover: 5: several XPU devices
# leftover: 6: several XPU devices
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "1,0")
import torch
