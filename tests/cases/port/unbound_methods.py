# leftover: 7: torch.Tensor.cuda
import torch

x = torch.Tensor.cuda(torch.ones(2))
y = torch.Tensor.cuda(x.cpu(), 0, non_blocking=True)
m = torch.nn.Module.cuda(torch.nn.Linear(2, 2).cuda())
z = list(map(torch.Tensor.cuda, (x, y)))
# output
import torch

x = torch.Tensor.to(torch.ones(2), "xpu")
y = torch.Tensor.to(x.cpu(), "xpu", non_blocking=True)
m = torch.nn.Module.to(torch.nn.Linear(2, 2).to("xpu"), "xpu")
z = list(map(torch.Tensor.cuda, (x, y)))
