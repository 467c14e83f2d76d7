import torch

device = torch.device("cpu")
n, x = 3, torch.ones(3, device=device)
print(f"cuda: {n} rows", f"{n} on cuda", f"cuda {n}", f"the cuda:{n} of it", f"cuda:{n} and cpu")
print(f"{{cuda}} {n:>4} {x.sum():.3f}", rf"\d+ cuda", f"{device} is not cuda" f" or {n}")
