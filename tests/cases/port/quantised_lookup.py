import torch

DEVICE = "cuda"
# DEVICE = "cpu"
N = 2**16 + 1


def build(device=DEVICE, *, rows=N):
    table = torch.arange(rows, device=device, dtype=torch.int32)
    return table, {"device": device, "dtype": torch.int64}


table, options = build()
index = torch.tensor([0, N - 1], **options)
print(table[index], table.is_cuda if False else table.device)
# output
import torch

DEVICE = "xpu"
# DEVICE = "cpu"
N = 2**16 + 1


def build(device=DEVICE, *, rows=N):
    table = torch.arange(rows, device=device, dtype=torch.int32)
    return table, {"device": device, "dtype": torch.int64}


table, options = build()
index = torch.tensor([0, N - 1], **options)
print(table[index], table.is_xpu if False else table.device)
