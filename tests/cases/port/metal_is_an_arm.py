import torch


def pick():
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def wait(device):
    {"cuda": torch.cuda.synchronize, "mps": torch.mps.synchronize, "cpu": lambda: None}[device]()


device = pick()
print(torch.ones(2, device=device), device in ("cuda", "mps"))
wait(device)
# output
import torch


def pick():
    if torch.xpu.is_available():
        return "xpu"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def wait(device):
    {"xpu": torch.xpu.synchronize, "mps": torch.mps.synchronize, "cpu": lambda: None}[device]()


device = pick()
print(torch.ones(2, device=device), device in ("xpu", "mps"))
wait(device)
