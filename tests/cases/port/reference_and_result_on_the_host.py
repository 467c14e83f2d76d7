import torch
import torch.nn.functional as F

x = torch.randn(2, 3, 7, 7, dtype=torch.float32)
low = F.max_pool2d(x.to(torch.bfloat16), 3, stride=2).float()
high = F.max_pool2d(x.double(), 3, stride=2)
error = (low.double() - high).abs()
print(f"max {error.max():.3e} mean {error.mean():.3e} on {x.device}")
assert error.max() < 0.1, "CUDA is exact here"
