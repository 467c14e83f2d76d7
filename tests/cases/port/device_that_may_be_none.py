# leftover: 33: may be None
import argparse

import torch


class Net(torch.nn.Linear):
    def cuda(self, device=None):
        return super().cuda(device)


class Holder:
    place = None

    def __init__(self, where):
        self.where = where
        self.own = None


def move(x, device=None, *, other=None, sure="cuda"):
    return x.cuda(device).cuda(other, non_blocking=True).cuda(device=sure)


def follow(x, index):
    return x.cuda(index)


parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int)
args = parser.parse_args([])
later = None if args.gpu is None else 0
x = torch.ones(2)
print(follow(x, None), x.cuda(args.gpu), x.cuda(later), x.cuda(Holder(x).own), x.cuda(x.device))
print(torch.Tensor.cuda(x, later))
# output
import argparse

import torch


class Net(torch.nn.Linear):
    def cuda(self, device=None):
        return super().to(device if device is not None else "xpu")


class Holder:
    place = None

    def __init__(self, where):
        self.where = where
        self.own = None


def move(x, device=None, *, other=None, sure="xpu"):
    return x.to(device if device is not None else "xpu").to(other if other is not None else "xpu", non_blocking=True).to(sure)


def follow(x, index):
    return x.to(index if index is not None else "xpu")


parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int)
args = parser.parse_args([])
later = None if args.gpu is None else 0
x = torch.ones(2)
print(follow(x, None), x.to(args.gpu if args.gpu is not None else "xpu"), x.to(later if later is not None else "xpu"), x.cuda(Holder(x).own), x.to(x.device))
print(torch.Tensor.to(x, later if later is not None else "xpu"))
