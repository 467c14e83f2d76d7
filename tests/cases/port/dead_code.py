# leftover: 9: no counterpart of torch.cuda.nvtx (does not matter)
# leftover: 14: no counterpart of torch.cuda.nvtx (does not matter)
# leftover: 18: no counterpart of torch.cuda.nvtx (does not matter)
# leftover: 19: no counterpart of torch.cuda.nvtx
import torch


def left_from_before():
    torch.cuda.nvtx.mark("nobody calls this")


class Unmade:
    def step(self):
        torch.cuda.nvtx.mark("and nothing makes one of these")


def main():
    def inner(): torch.cuda.nvtx.mark("never called")
    torch.cuda.nvtx.mark("called")


main()
