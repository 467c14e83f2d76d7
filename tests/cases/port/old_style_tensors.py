import torch
from torch.autograd import Variable

torch.cuda.manual_seed(7)
x = Variable(torch.cuda.FloatTensor(4, 4).uniform_(), requires_grad=True)
index = torch.cuda.LongTensor([0, 3])
picked = x.index_select(0, index)
half = picked.type(torch.cuda.HalfTensor)
picked.sum().backward()
print(half.type() == "torch.cuda.HalfTensor")
print(x.grad.data)
# output
import torch
from torch.autograd import Variable

torch.xpu.manual_seed(7)
x = Variable(torch.FloatTensor(4, 4).to("xpu").uniform_(), requires_grad=True)
index = torch.LongTensor([0, 3]).to("xpu")
picked = x.index_select(0, index)
half = picked.to("xpu", torch.float16)
picked.sum().backward()
print(half.type() == "torch.xpu.HalfTensor")
print(x.grad.data)
