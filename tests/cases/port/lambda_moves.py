import torch

move = lambda x: x.cuda()
many = [move, lambda x, device="cuda": x.to(device), lambda x: x]
for step in many:
    print(torch.polygamma(1, step(torch.tensor([0.5, 3.0]))).cpu())
# output
import torch

move = lambda x: x.to("xpu")
many = [move, lambda x, device="xpu": x.to(device), lambda x: x]
for step in many:
    print(torch.polygamma(1, step(torch.tensor([0.5, 3.0]))).cpu())
