import os
from os import environ

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["OMP_NUM_THREADS"] = "1"
os.environ.setdefault("MKL_NUM_THREADS", "1")
import torch

print(torch.ones(3).cumsum(0), environ.get("OMP_NUM_THREADS"), "CUDA_VISIBLE_DEVICES=0 python run.py")
