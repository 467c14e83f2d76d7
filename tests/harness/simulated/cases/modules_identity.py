"""Modules identity."""

import torch

torch.manual_seed(0)
import copy
model = torch.nn.Linear(2, 2)
weight = model.weight
optimiser = torch.optim.SGD(model.parameters(), lr=0.5)
model.to("xpu")
print(model.weight is weight, weight.device, isinstance(weight, torch.nn.Parameter), isinstance(weight, torch.Tensor))
before = weight.detach().clone()
model(torch.ones(1, 2, device="xpu")).sum().backward()
optimiser.step()
print((before - weight).detach())
other = copy.deepcopy(model)
with torch.no_grad():
    other.weight.zero_()
print(weight.abs().sum().item() > 0, other.weight)
model.cpu()
print(model.weight is weight, weight.device)
tied = torch.nn.ModuleList([torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)])
tied[1].weight = tied[0].weight
tied.to("xpu")
print(tied[1].weight is tied[0].weight, len(list(tied.parameters())))
model.half().to("xpu")
print(model.weight.dtype, repr(model))
