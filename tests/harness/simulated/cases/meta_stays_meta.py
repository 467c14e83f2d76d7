"""Meta stays meta."""

import torch

torch.manual_seed(0)
x = torch.ones(2, 3, device="meta")
print(x.is_meta, x.device, (x @ x.t()).shape, torch.empty_like(x).device)
with torch.device("meta"):
    model = torch.nn.Linear(2, 2)
print(model.weight.device)
model = model.to_empty(device="xpu")
torch.nn.init.ones_(model.weight)
torch.nn.init.zeros_(model.bias)
print(model(torch.ones(1, 2, device="xpu")))
