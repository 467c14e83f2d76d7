# leftover: 16: no counterpart of torch.cuda.nvtx
# leftover: 23: no counterpart of torch.cuda.nvtx
# leftover: 28: no counterpart of torch.cuda.nvtx
# leftover: 32: no counterpart of torch.cuda.nvtx
# leftover: 37: no counterpart of torch.cuda.nvtx
# leftover: 43: no counterpart of torch.cuda.nvtx
import unittest

import torch


class Scale(torch.nn.Module):
    """Nobody names `forward`, and the module calls it."""

    def forward(self, x):
        torch.cuda.nvtx.mark("forward")
        return x * 3


class ScaleTest(unittest.TestCase):
    def setUp(self):
        self.x = torch.arange(4.0)
        torch.cuda.nvtx.mark("before each test")


class Plain:
    def again(self):
        torch.cuda.nvtx.mark("a method of a class that is used")


class Unmade:
    torch.cuda.nvtx.mark("what stands in a class runs")


def by_text():
    """The table below calls it."""
    torch.cuda.nvtx.mark("named in a string")


TABLE = {"first": "by_text()"}


def with_default(mark=torch.cuda.nvtx.mark):
    """A default is made though nobody calls this."""


print(Scale()(torch.ones(2)), Plain(), TABLE)
