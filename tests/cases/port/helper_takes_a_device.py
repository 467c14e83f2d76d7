import torch


def run(device, *, shape=(2, 3)):
    x = torch.arange(6.0, device=device).reshape(shape)
    return torch.nn.functional.normalize(x, dim=-1).to("cpu")


gpu = torch.device("cuda", index=0)
pairs = [(d, run(d)) for d in (torch.device("cpu"), gpu)]
assert torch.allclose(pairs[0][1], pairs[1][1]), f"{pairs[1][0]!s} differs from cpu"
print(run(device="cuda", shape=(3, 2)), gpu.type == "cuda" and gpu.index == 0)
# output
import torch


def run(device, *, shape=(2, 3)):
    x = torch.arange(6.0, device=device).reshape(shape)
    return torch.nn.functional.normalize(x, dim=-1).to("cpu")


gpu = torch.device("xpu", index=0)
pairs = [(d, run(d)) for d in (torch.device("cpu"), gpu)]
assert torch.allclose(pairs[0][1], pairs[1][1]), f"{pairs[1][0]!s} differs from cpu"
print(run(device="xpu", shape=(3, 2)), gpu.type == "xpu" and gpu.index == 0)
