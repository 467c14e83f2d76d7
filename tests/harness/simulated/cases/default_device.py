"""Default device."""

import torch

torch.manual_seed(0)
torch.set_default_device("xpu")
print(torch.ones(2), torch.tensor([1]).device, torch.nn.Linear(1, 1).weight.device, torch.get_default_device().type)
torch.set_default_device(None)
print(torch.ones(2).device.type == "cpu")
with torch.device("xpu"):
    model = torch.nn.Linear(2, 2)
    print(model.weight.device, torch.arange(2), torch.rand(1).device)
