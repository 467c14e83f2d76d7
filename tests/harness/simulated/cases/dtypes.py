"""Dtypes."""

import torch

torch.manual_seed(0)
x = torch.tensor([0.1, 1.5, -2.5], device="xpu")
for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int32, torch.uint8 if False else torch.int8, torch.bool, torch.complex64):
    print(x.to(dtype), (x.to(dtype) + 1).dtype, x.type(dtype).dtype)
print(x.half().double().dtype, x.to(torch.ones(1, dtype=torch.float64, device="xpu")).dtype, x.long(), torch.result_type(x, 1))
print(x.view(torch.int32), torch.can_cast(x.dtype, torch.int), x.element_size(), x.nbytes)
