import itertools

import torch

DEVICES = ["cpu", "cuda"]
for device, dtype in itertools.product(DEVICES, (torch.float16, torch.float32)):
    print(device, dtype, torch.arange(5, device=device, dtype=dtype).std())
for device in {"cuda:0", "cpu"} | set(DEVICES):
    assert device in ("cpu", "cuda", "cuda:0")
a, b = (torch.ones(2, device=d) for d in ("cpu", "cuda"))
# output
import itertools

import torch

DEVICES = ["cpu", "xpu"]
for device, dtype in itertools.product(DEVICES, (torch.float16, torch.float32)):
    print(device, dtype, torch.arange(5, device=device, dtype=dtype).std())
for device in {"xpu:0", "cpu"} | set(DEVICES):
    assert device in ("cpu", "xpu", "xpu:0")
a, b = (torch.ones(2, device=d) for d in ("cpu", "xpu"))
