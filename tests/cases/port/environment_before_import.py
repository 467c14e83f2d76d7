import os

os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"
os.environ["OMP_NUM_THREADS"] = "1"

import torch

x = torch.zeros(5, device="cuda")
x[torch.tensor([0, 0, 1], device="cuda")] += 1
print(x)
# output
import os

pass
pass
os.environ["PYTORCH_ALLOC_CONF"] = "expandable_segments:True"
os.environ["OMP_NUM_THREADS"] = "1"

import torch

x = torch.zeros(5, device="xpu")
x[torch.tensor([0, 0, 1], device="xpu")] += 1
print(x)
