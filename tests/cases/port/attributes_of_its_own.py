import argparse
from collections import namedtuple
from dataclasses import dataclass

import torch


@dataclass
class Options:
    use_cuda: bool = False


class Timer:
    def __init__(self):
        self.cuda_ms = 0.0

    def to_cuda(self):
        return self.cuda_ms


parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args([])
Row = namedtuple("Row", "cpu_ms mps_ms")
print(args.cuda, Options().use_cuda, Timer().to_cuda(), Row(1, 2).mps_ms, torch.ones(1))
