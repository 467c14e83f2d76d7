"""Numpy and lists."""

import torch

torch.manual_seed(0)
import numpy
x = torch.arange(4.0, device="xpu").reshape(2, 2)
print(x.tolist(), x.sum().item(), float(x[1, 1]), int(x[1, 0]), bool(x[0, 1]), [one.item() for one in x.flatten()])
print(x.cpu().numpy(), x.detach().cpu().numpy().dtype, numpy.asarray(x.cpu()).shape, len(x), 3.0 in x)
print(f"{x.mean():.2f}", str(x.dtype), hash(x) == hash(x), x.shape == (2, 2), x.size(0), x.numel(), x.dim(), x.ndim)
for row in x:
    print(row)
