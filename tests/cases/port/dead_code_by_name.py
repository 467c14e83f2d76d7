# leftover: 7: no counterpart of torch.cuda.nvtx
import torch


def run_small():
    """Found by half of its name."""
    torch.cuda.nvtx.mark("small")


for size in ("small",):
    globals()["run_" + size]()
