import torch

torch.set_num_threads(1)
device = torch.device("cpu")
x = torch.randn(3, 5, device=device, dtype=torch.bfloat16)
y = torch.randn(5, 3).to(device, torch.bfloat16)
# On a CUDA build the same call with device="cuda" is right.
print("cpu result", (x @ y).sum(), x.device.type)
reference = x.double() @ y.double()
print((reference - (x @ y)).abs().max())
