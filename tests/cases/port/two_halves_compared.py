import torch
import torch.nn.functional as F

torch.manual_seed(11)
rows = 70000
values = torch.randn(rows, 4)

def largest(x, k=3):
    return torch.topk(x, k, dim=0)

on_cpu = largest(values)
on_gpu = largest(values.cuda())
torch.cuda.synchronize()
print((on_cpu.values - on_gpu.values.cpu()).abs().max())
print(torch.equal(on_cpu.indices, on_gpu.indices.to("cpu")))
# output
import torch
import torch.nn.functional as F

torch.manual_seed(11)
rows = 70000
values = torch.randn(rows, 4)

def largest(x, k=3):
    return torch.topk(x, k, dim=0)

on_cpu = largest(values)
on_gpu = largest(values.to("xpu"))
torch.xpu.synchronize()
print((on_cpu.values - on_gpu.values.cpu()).abs().max())
print(torch.equal(on_cpu.indices, on_gpu.indices.to("cpu")))
