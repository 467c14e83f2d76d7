"""Comparisons."""

import torch

torch.manual_seed(0)
x, y = torch.ones(2, device="xpu"), torch.zeros(2, device="xpu")
try:
    torch.testing.assert_close(x, y)
except AssertionError as error:
    print(str(error).splitlines()[0])
print(x > y, (x == y).any(), x.eq(1).all(), torch.maximum(x, y), x.logical_and(y), -x, ~(x > 0), 1 - x, 2 / x, 2**x, x // 2, x % 2)
print(torch.isinf(x / y), (x / y), torch.sign(-x), x.clamp(max=0.5), x.lerp(y, 0.25), x.bool() & y.bool())
