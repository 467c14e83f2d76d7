# device: cpu
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.tensor([1.0, -2.0, 3.0], device=device)
y = x.cuda().relu()
torch.cuda.synchronize()
with torch.cuda.amp.autocast(dtype=torch.bfloat16):
    z = torch.eye(3, device="cuda:0") @ y.reshape(3, 1)
print(y.tolist(), z.dtype, x.is_cuda)
# output
import torch

device = "cpu" if torch.cpu.is_available() else "cpu"
x = torch.tensor([1.0, -2.0, 3.0], device=device)
y = x.to("cpu").relu()
torch.cpu.synchronize()
with torch.amp.autocast("cpu", dtype=torch.bfloat16):
    z = torch.eye(3, device="cpu") @ y.reshape(3, 1)
print(y.tolist(), z.dtype, x.is_cpu)
