import torch

sizes = [1, 31, 33, 1025]
tensors = [torch.rand(n).cuda() for n in sizes]
table = {n: t.cuda() for n, t in zip(sizes, tensors)}
if (biggest := max(tensors, key=len).cuda()).numel() > 1000:
    print(biggest.cumprod(0)[-1])
moved = (t.to("cuda", non_blocking=True) for t in table.values())
print(sum(float(t.sum()) for t in moved))
# output
import torch

sizes = [1, 31, 33, 1025]
tensors = [torch.rand(n).to("xpu") for n in sizes]
table = {n: t.to("xpu") for n, t in zip(sizes, tensors)}
if (biggest := max(tensors, key=len).to("xpu")).numel() > 1000:
    print(biggest.cumprod(0)[-1])
moved = (t.to("xpu", non_blocking=True) for t in table.values())
print(sum(float(t.sum()) for t in moved))
