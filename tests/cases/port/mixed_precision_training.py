import torch
from torch import nn
from torch.cuda.amp import GradScaler, autocast

model = nn.Sequential(nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 1)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
scaler = GradScaler()
batch = torch.randn(16, 8, device="cuda")
wanted = torch.zeros(16, 1, device="cuda")
for step in range(3):
    optimizer.zero_grad(set_to_none=True)
    with autocast():
        loss = nn.functional.mse_loss(model(batch), wanted)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    print(step, loss.item())
# output
import torch
from torch import nn
from torch.amp import GradScaler, autocast

model = nn.Sequential(nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 1)).to("xpu")
optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
scaler = GradScaler("xpu")
batch = torch.randn(16, 8, device="xpu")
wanted = torch.zeros(16, 1, device="xpu")
for step in range(3):
    optimizer.zero_grad(set_to_none=True)
    with autocast("xpu"):
        loss = nn.functional.mse_loss(model(batch), wanted)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    print(step, loss.item())
