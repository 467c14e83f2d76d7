# leftover: 5: a default device is not that of tensors
import torch

# What is made by the name alone goes by this type, but not by a default device.
torch.set_default_tensor_type(torch.cuda.FloatTensor)
print(torch.Tensor([1.0, 2.0]).device, torch.rand(2).device)
