import torch

torch.cuda.set_device(0)
torch.cuda.set_device("cuda:0")
torch.cuda.set_device(torch.device("cuda", 0))
index = torch.cuda.current_device()
x = torch.ones(2, device=index)
name = torch.cuda.get_device_name(0), torch.cuda.get_device_properties(0).total_memory
print(x.get_device() == index, name)
# output
import torch

torch.xpu.set_device(0)
torch.xpu.set_device("xpu:0")
torch.xpu.set_device(torch.device("xpu", 0))
index = torch.xpu.current_device()
x = torch.ones(2, device=index)
name = torch.xpu.get_device_name(0), torch.xpu.get_device_properties(0).total_memory
print(x.get_device() == index, name)
