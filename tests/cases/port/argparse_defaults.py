import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("-d", "--device", default="cuda", choices=("cuda", "cpu"))
parser.add_argument("--dev", type=torch.device, default=torch.device("cuda"))
parser.set_defaults(other='cuda:0')
args = parser.parse_args(["--device", "cuda"])
args.cuda = args.device == "cuda" and torch.cuda.is_available()
x = torch.ones(2, device=args.device)
if args.cuda:
    x = x.cuda()
print(x)
# output
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("-d", "--device", default="xpu", choices=("xpu", "cpu"))
parser.add_argument("--dev", type=torch.device, default=torch.device("xpu"))
parser.set_defaults(other='xpu:0')
args = parser.parse_args(["--device", "xpu"])
args.cuda = args.device == "xpu" and torch.xpu.is_available()
x = torch.ones(2, device=args.device)
if args.cuda:
    x = x.to("xpu")
print(x)
