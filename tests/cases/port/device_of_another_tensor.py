import torch

x = torch.ones(2)
y = torch.zeros_like(x, device=x.device).to(x)
z = y.new_full((2,), 3).type_as(x).to(device=y.device, dtype=torch.float64)
print(torch.stack([x, y]).to(z.device, non_blocking=True), z.is_cpu, x.get_device())
