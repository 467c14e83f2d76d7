import torch
from torch.cpu.amp import autocast
from torch.utils.checkpoint import checkpoint

x = torch.eye(4)
with autocast(), torch.amp.autocast("cpu", torch.bfloat16), torch.autocast(device_type="cpu"):
    print((x @ x).dtype, torch.get_autocast_dtype("cpu"), checkpoint(torch.sin, x, use_reentrant=False).dtype)
