import numpy as np
import torch as th
import torch.nn.functional as F

grid = th.zeros(1, 2, 2, 2, device='cuda', requires_grad=True)
out = F.grid_sample(th.ones(1, 300, 4, 4, device='cuda'), grid, align_corners=False)
out.sum().backward()
th.cuda.synchronize()
print(np.asarray(grid.grad.cpu()))
# output
import numpy as np
import torch as th
import torch.nn.functional as F

grid = th.zeros(1, 2, 2, 2, device='xpu', requires_grad=True)
out = F.grid_sample(th.ones(1, 300, 4, 4, device='xpu'), grid, align_corners=False)
out.sum().backward()
th.xpu.synchronize()
print(np.asarray(grid.grad.cpu()))
