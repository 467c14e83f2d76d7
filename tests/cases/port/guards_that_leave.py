import sys

import torch

if not torch.cuda.is_available():
    print("CUDA is not available, skipping")
    sys.exit(0)
assert torch.cuda.is_available(), "needs cuda"
if torch.cuda.device_count() == 0 or torch.cuda.device_count() < 1:
    raise RuntimeError("no cuda device")


def main():
    if not torch.cuda.is_available():
        return None
    return torch.triu_indices(3, 3, device="cuda")


print(main() if torch.cuda.is_available() else "skipped")
# output
import sys

import torch

if not torch.xpu.is_available():
    print("CUDA is not available, skipping")
    sys.exit(0)
assert torch.xpu.is_available(), "needs cuda"
if torch.xpu.device_count() == 0 or torch.xpu.device_count() < 1:
    raise RuntimeError("no cuda device")


def main():
    if not torch.xpu.is_available():
        return None
    return torch.triu_indices(3, 3, device="xpu")


print(main() if torch.xpu.is_available() else "skipped")
