# off: grid_sampler_2d_backward bfloat16 value 1
# off: grid_sampler_2d_backward bfloat16 value 1
import torch
from torch.nn import functional

for dtype in (torch.float16, torch.bfloat16, torch.float32):
    image = torch.tensor([0.0, 1.0]).expand(1, 2048, 2, 2).to(dtype)
    grid = torch.zeros(1, 1, 1, 2, dtype=dtype)
    ones = torch.ones(1, 2048, 1, 1, dtype=dtype)
    torch.ops.aten.grid_sampler_2d_backward(ones, image, grid, 0, 0, False, [True, True])
    functional.grid_sample(image, grid.requires_grad_(), align_corners=False).sum().backward()
