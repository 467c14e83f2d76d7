import torch

device = torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
runtime = torch.get_device_module(device)
x = torch.ones(3, device=device)
with torch.device(device), torch.autocast(device.type):
    y = torch.ones(3, 3) @ torch.eye(3)
torch.accelerator.synchronize()
print(x, y, runtime.is_available(), torch.accelerator.device_count())
