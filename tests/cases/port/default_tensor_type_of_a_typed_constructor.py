# leftover: 5: a default device is not that of tensors
import torch
from torch import FloatTensor

torch.set_default_tensor_type("torch.cuda.DoubleTensor")
print(FloatTensor(3).device, torch.rand(2).device)
