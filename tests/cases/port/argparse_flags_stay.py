import argparse

import torch

parser = argparse.ArgumentParser(description="compares cuda with cpu")
parser.add_argument("--cuda", action="store_true", help="run on cuda:0 instead of the cpu")
parser.add_argument("--cuda-index", type=int, default=0)
args = parser.parse_args([])
print(args.cuda, args.cuda_index, torch.ones(2).sum())
