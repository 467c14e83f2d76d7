import os

import torch

torch.use_deterministic_algorithms(True, warn_only=True)
torch.manual_seed(0)
torch.set_printoptions(precision=8)
os.environ["PYTORCH_DEBUG"] = "1"
x = torch.zeros(3).index_add(0, torch.tensor([0, 0]), torch.ones(2))
print(x, torch.are_deterministic_algorithms_enabled())
