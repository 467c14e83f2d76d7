# leftover: 9: torch.cuda.FloatTensor
import torch

a = torch.cuda.FloatTensor(2, 3).fill_(0.5)
b = torch.cuda.ByteTensor([[1, 0, 1]])
c = a.type(torch.cuda.DoubleTensor) + b.type("torch.cuda.DoubleTensor")
if a.type() == "torch.cuda.FloatTensor" and c.type() != 'torch.FloatTensor':
    print(c, a.type(torch.HalfTensor).type("torch.LongTensor"))
print(isinstance(a, torch.cuda.FloatTensor))
# output
import torch

a = torch.FloatTensor(2, 3).to("xpu").fill_(0.5)
b = torch.ByteTensor([[1, 0, 1]]).to("xpu")
c = a.to("xpu", torch.float64) + b.to("xpu", torch.float64)
if a.type() == "torch.xpu.FloatTensor" and c.type() != 'torch.FloatTensor':
    print(c, a.type(torch.HalfTensor).type("torch.LongTensor"))
print(isinstance(a, torch.cuda.FloatTensor))
