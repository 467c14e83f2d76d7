# leftover: 9: device would be missing
import functools

import torch

autocast = torch.cuda.amp.autocast
with autocast():
    print(torch.eye(2, device="cuda").mm(torch.eye(2, device="cuda")).dtype)
half = functools.partial(torch.cuda.amp.autocast, dtype=torch.float16)
# output
import functools

import torch

autocast = torch.amp.autocast
with autocast("xpu"):
    print(torch.eye(2, device="xpu").mm(torch.eye(2, device="xpu")).dtype)
half = functools.partial(torch.cuda.amp.autocast, dtype=torch.float16)
