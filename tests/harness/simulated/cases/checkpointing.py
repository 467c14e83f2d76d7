"""Checkpointing."""

import torch

torch.manual_seed(0)
from torch.utils.checkpoint import checkpoint
layer = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Tanh()).to("xpu")
torch.nn.init.eye_(layer[0].weight)
torch.nn.init.zeros_(layer[0].bias)
for reentrant in (False, True):
    x = torch.ones(1, 3, device="xpu", requires_grad=True)
    checkpoint(layer, x, use_reentrant=reentrant).sum().backward()
    print([round(one, 4) for one in x.grad.flatten().tolist()])
parameters = torch.nn.utils.parameters_to_vector(layer.parameters())
print(parameters.shape, torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(2, 2).to("xpu"))(torch.ones(1, 2, device="xpu")).shape)
