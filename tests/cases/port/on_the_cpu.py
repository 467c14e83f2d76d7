# device: cpu
import torch

dev = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.cuda.manual_seed(1)
x = torch.rand(4, device=dev).cuda()
torch.cuda.synchronize()
print(x.to("cpu"))
# output
import torch

dev = torch.device("cpu" if torch.cpu.is_available() else "cpu")
torch.manual_seed(1)
x = torch.rand(4, device=dev).to("cpu")
torch.cpu.synchronize()
print(x.to("cpu"))
