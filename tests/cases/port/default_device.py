import torch

torch.set_default_device("cuda")
torch.set_default_device(torch.device("cuda:0"))
x = torch.eye(3)
torch.set_default_device("cpu")
torch.set_default_device(None)
print(x.device, torch.eye(3).device, torch.get_default_device())
# output
import torch

torch.set_default_device("xpu")
torch.set_default_device(torch.device("xpu:0"))
x = torch.eye(3)
torch.set_default_device("cpu")
torch.set_default_device(None)
print(x.device, torch.eye(3).device, torch.get_default_device())
