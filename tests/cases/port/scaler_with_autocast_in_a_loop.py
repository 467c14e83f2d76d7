import torch
import torch.cuda.amp

scaler = torch.cuda.amp.GradScaler(enabled=True)
for dtype in (torch.float16, torch.bfloat16):
    with torch.autocast(device_type="cuda", dtype=dtype), torch.no_grad():
        print(torch.addmm(*(torch.eye(2, device="cuda") for _ in range(3))).dtype)
# output
import torch
import torch.amp

scaler = torch.amp.GradScaler("xpu", enabled=True)
for dtype in (torch.float16, torch.bfloat16):
    with torch.autocast(device_type="xpu", dtype=dtype), torch.no_grad():
        print(torch.addmm(*(torch.eye(2, device="xpu") for _ in range(3))).dtype)
