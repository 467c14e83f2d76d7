import torch
import torch.cuda.amp as amp
from torch.cuda.amp import autocast as mixed, GradScaler
from torch.cuda import amp as gpu_amp

scaler = GradScaler(init_scale=2.0**10, enabled=True)
other = amp.GradScaler()


@mixed()
def forward(x):
    with amp.autocast(dtype=torch.float16), gpu_amp.autocast(enabled=False):
        return x @ x


print(scaler.scale(forward(torch.eye(2, device="cuda")).sum()), other.get_scale())
# output
import torch
import torch.amp as amp
from torch.amp import autocast as mixed, GradScaler
from torch import amp as gpu_amp

scaler = GradScaler("xpu", init_scale=2.0**10, enabled=True)
other = amp.GradScaler("xpu")


@mixed("xpu")
def forward(x):
    with amp.autocast("xpu", dtype=torch.float16), gpu_amp.autocast("xpu", enabled=False):
        return x @ x


print(scaler.scale(forward(torch.eye(2, device="xpu")).sum()), other.get_scale())
