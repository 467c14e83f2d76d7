import torch

model = torch.nn.Linear(4, 4).cuda()
x = torch.ones(1, 4, device="cuda")
with torch.cuda.amp.autocast():
    a = model(x)
with torch.cuda.amp.autocast(False):
    b = model(x)
with torch.cuda.amp.autocast(True, torch.bfloat16, False):
    c = model(x)
with torch.cuda.amp.autocast_mode.autocast(enabled=x.is_cuda):
    d = model(x)
print(a.dtype, b.dtype, c.dtype, d.dtype)
# output
import torch

model = torch.nn.Linear(4, 4).to("xpu")
x = torch.ones(1, 4, device="xpu")
with torch.amp.autocast("xpu"):
    a = model(x)
with torch.amp.autocast("xpu", enabled=False):
    b = model(x)
with torch.amp.autocast("xpu", enabled=True, dtype=torch.bfloat16, cache_enabled=False):
    c = model(x)
with torch.amp.autocast_mode.autocast("xpu", enabled=x.is_xpu):
    d = model(x)
print(a.dtype, b.dtype, c.dtype, d.dtype)
