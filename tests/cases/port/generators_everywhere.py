import torch

g = torch.Generator("cuda")
g.manual_seed(2**40)
state = torch.cuda.get_rng_state()
a = torch.randint(0, 10, (5,), device="cuda", generator=g)
torch.cuda.set_rng_state(state)
torch.cuda.manual_seed_all(3)
b = torch.multinomial(torch.ones(4).cuda(), 2, generator=g)
h = torch.Generator(device="cpu").manual_seed(1)
print(a, b, torch.rand(1, generator=h))
# output
import torch

g = torch.Generator("xpu")
g.manual_seed(2**40)
state = torch.xpu.get_rng_state()
a = torch.randint(0, 10, (5,), device="xpu", generator=g)
torch.xpu.set_rng_state(state)
torch.xpu.manual_seed_all(3)
b = torch.multinomial(torch.ones(4).to("xpu"), 2, generator=g)
h = torch.Generator(device="cpu").manual_seed(1)
print(a, b, torch.rand(1, generator=h))
