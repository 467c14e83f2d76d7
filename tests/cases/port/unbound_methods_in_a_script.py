# leftover: 7: torch.Tensor.cuda
import torch

model = torch.nn.Linear(2, 2)
torch.nn.Module.cuda(model)
x = torch.Tensor.cuda(torch.ones(1, 2), non_blocking=True)
moved = list(map(torch.Tensor.cuda, [torch.ones(2)]))
print(model(x), moved)
# output
import torch

model = torch.nn.Linear(2, 2)
torch.nn.Module.to(model, "xpu")
x = torch.Tensor.to(torch.ones(1, 2), "xpu", non_blocking=True)
moved = list(map(torch.Tensor.cuda, [torch.ones(2)]))
print(model(x), moved)
