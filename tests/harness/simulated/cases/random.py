"""Random."""

import torch

torch.manual_seed(0)
torch.manual_seed(5)
a = torch.rand(3, device="xpu")
torch.manual_seed(5)
b = torch.rand(3, device="xpu")
generator = torch.Generator(device="xpu").manual_seed(3)
c = torch.randn(2, generator=generator, device="xpu")
generator.manual_seed(3)
d = torch.randn(2, generator=generator, device="xpu")
print(torch.equal(a, b), torch.equal(c, d), generator.device.type, generator.initial_seed(), isinstance(generator, torch.Generator))
print(torch.randperm(5, device="xpu").sort().values, torch.randint(0, 2, (4,), device="xpu").max() < 2, torch.bernoulli(torch.ones(2, device="xpu")))
x = torch.ones(1000, device="xpu")
dropped = torch.nn.functional.dropout(x, 0.5)
print(300 < (dropped == 0).sum() < 700, torch.nn.functional.dropout(x, 0.5, training=False).sum(), x.normal_().mean().abs() < 0.2)
print(torch.multinomial(torch.tensor([0.0, 1.0], device="xpu"), 1))
