# device: cpu
# leftover: 6: CPU devices have no numbers
import torch

for index in range(torch.cuda.device_count()):
    print(torch.ones(2, device=f"cuda:{index}"))
print(torch.zeros(2, device="cuda:0"))
# output
import torch

for index in range(torch.cpu.device_count()):
    print(torch.ones(2, device=f"cuda:{index}"))
print(torch.zeros(2, device="cpu"))
