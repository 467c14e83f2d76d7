import torch


def timed(f, sync=None):
    gpu = None
    for cuda in (False, True):
        gpu = cuda or gpu
    return f(), gpu


torch_cuda, is_cuda = 1, False
print(timed(lambda: torch.ones(2).sum()), torch_cuda, is_cuda)
