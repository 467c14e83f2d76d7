import torch

torch.set_default_device("cuda")
torch.set_default_dtype(torch.float64)
with torch.device("cuda:0"):
    x = torch.linspace(-1, 1, 9)
with torch.device("cpu"):
    wanted = torch.erfinv(torch.linspace(-1, 1, 9))
with torch.device("cuda", 0):
    y = torch.erfinv(x)
print((y.cpu() - wanted).nan_to_num().abs().max())
generator = torch.Generator(device="cuda").manual_seed(4)
print(torch.rand(2, generator=generator).device)
# output
import torch

torch.set_default_device("xpu")
torch.set_default_dtype(torch.float64)
with torch.device("xpu:0"):
    x = torch.linspace(-1, 1, 9)
with torch.device("cpu"):
    wanted = torch.erfinv(torch.linspace(-1, 1, 9))
with torch.device("xpu", 0):
    y = torch.erfinv(x)
print((y.cpu() - wanted).nan_to_num().abs().max())
generator = torch.Generator(device="xpu").manual_seed(4)
print(torch.rand(2, generator=generator).device)
