# leftover: 5: second XPU device
# leftover: 6: second XPU device
import torch

x = torch.ones(2, device="cuda:1")
y = x.to("cuda:3")
print(x.get_device() == 1, y)
