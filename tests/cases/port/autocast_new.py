import torch
from torch import autocast
from torch.amp import GradScaler

x = torch.eye(2, device="cuda")
with torch.autocast("cuda"), autocast(device_type="cuda", dtype=torch.bfloat16):
    print((x @ x).dtype)
with torch.amp.autocast(enabled=True, device_type='cuda'), torch.autocast("cpu", dtype=torch.bfloat16):
    print((x @ x).dtype)
scalers = [GradScaler(), GradScaler("cuda"), GradScaler(device="cuda"), GradScaler("cpu")]
last = torch.amp.GradScaler(enabled=False)
# output
import torch
from torch import autocast
from torch.amp import GradScaler

x = torch.eye(2, device="xpu")
with torch.autocast("xpu"), autocast(device_type="xpu", dtype=torch.bfloat16):
    print((x @ x).dtype)
with torch.amp.autocast(enabled=True, device_type='xpu'), torch.autocast("cpu", dtype=torch.bfloat16):
    print((x @ x).dtype)
scalers = [GradScaler("xpu"), GradScaler("xpu"), GradScaler(device="xpu"), GradScaler("cpu")]
last = torch.amp.GradScaler("xpu", enabled=False)
