import torch

accelerator = torch.accelerator.current_accelerator()
device = accelerator.type if accelerator else "cpu"
x = torch.randn(100, device=device)
torch.accelerator.synchronize()
out = torch.histc(x, bins=7, min=-1, max=1)
print(out.sum().item() <= 100, device)
with torch.autocast(device_type=device, dtype=torch.bfloat16):
    print((torch.eye(2, device=device) @ torch.eye(2, device=device)).dtype)
