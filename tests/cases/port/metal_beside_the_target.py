import torch

for device in ("xpu", "mps", "cpu"):
    if device == "mps" and not torch.backends.mps.is_available():
        continue
    x = torch.tensor([3.0, -1.0], device=device)
    print(device, x.sort(), x.is_mps)
