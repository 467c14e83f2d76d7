"""Images."""

import torch

torch.manual_seed(0)
F = torch.nn.functional
x = torch.arange(16.0, device="xpu").reshape(1, 1, 4, 4)
print(F.interpolate(x, scale_factor=0.5, mode="bilinear"), F.interpolate(x, size=(2, 2), mode="nearest"), F.pad(x, (1, 1, 1, 1), mode="reflect").shape)
grid = F.affine_grid(torch.eye(2, 3, device="xpu")[None], (1, 1, 2, 2), align_corners=False)
print(F.grid_sample(x, grid, align_corners=False), F.avg_pool2d(x, 2), F.max_pool2d(x, 2), F.unfold(x, 2).shape, F.pixel_shuffle(x.expand(1, 4, 4, 4), 2).shape)
print(F.fold(F.unfold(x, 2), (4, 4), 2)[0, 0, 0], F.conv2d(x, torch.ones(1, 1, 2, 2, device="xpu"), stride=2), x.to(memory_format=torch.channels_last).is_contiguous(memory_format=torch.channels_last))
