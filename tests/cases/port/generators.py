import torch

g = torch.Generator(device="cuda").manual_seed(5)
h = torch.Generator("cuda:0")
c = torch.Generator()
d = torch.Generator("cpu").manual_seed(5)
x = torch.randn(3, device="cuda", generator=g)
y = torch.empty(3, device="cuda").exponential_(generator=torch.cuda.default_generators[0])
print(x, y, torch.randn(3, generator=d), torch.randperm(3, generator=c))
# output
import torch

g = torch.Generator(device="xpu").manual_seed(5)
h = torch.Generator("xpu:0")
c = torch.Generator()
d = torch.Generator("cpu").manual_seed(5)
x = torch.randn(3, device="xpu", generator=g)
y = torch.empty(3, device="xpu").exponential_(generator=torch.xpu.default_generators[0])
print(x, y, torch.randn(3, generator=d), torch.randperm(3, generator=c))
