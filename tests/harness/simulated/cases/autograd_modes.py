"""Autograd modes."""

import torch

torch.manual_seed(0)
x = torch.ones(2, device="xpu", requires_grad=True)
with torch.no_grad():
    print((x * 2).requires_grad)
with torch.inference_mode():
    y = torch.nn.functional.linear(x, torch.ones(3, 2, device="xpu"))
    print(y, y.is_inference(), y.device)
with torch.autograd.set_detect_anomaly(True, check_nan=False):
    (x * x).sum().backward()
print(x.grad, x.detach().requires_grad, x.is_leaf)
try:
    x += 1
except RuntimeError as error:
    print(error)
