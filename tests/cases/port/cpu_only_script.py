import os

import torch

os.environ["CUDA_VISIBLE_DEVICES"] = ""
x = torch.tensor([0.1, 0.2], device="cpu", dtype=torch.bfloat16)
torch.set_default_device("cpu")
print(torch.logcumsumexp(x.to("cpu"), dim=0), x.device.type == "cpu")
