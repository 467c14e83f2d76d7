# device: cuda
import torch

x = torch.ones(2, 2).cuda()
torch.cuda.synchronize()
print(x.is_cuda, torch.zeros(1, device="cuda:1"))
