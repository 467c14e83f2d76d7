import torch


def make(rows, device="cuda", *, dtype=torch.float32, where=torch.device("cuda:0"), fallback="cpu"):
    return torch.ones(rows, dtype=dtype, device=device or where or fallback)


print(make(3).mean(), make(3, "cpu").mean(), make(3, device="cuda").mean())
# output
import torch


def make(rows, device="xpu", *, dtype=torch.float32, where=torch.device("xpu:0"), fallback="cpu"):
    return torch.ones(rows, dtype=dtype, device=device or where or fallback)


print(make(3).mean(), make(3, "cpu").mean(), make(3, device="xpu").mean())
