import torch


def run(x, cuda=False, mps=None, cuda_graphs=0):
    return x if not cuda else -x


print(run(torch.ones(1), cuda=False), run(torch.ones(1), mps=1), dict(cuda=1, cudnn=True)["cuda" "_"[1:]] if False else "")
