import torch

cuda = False
use_cuda = cuda and True
options = {"use_cuda": use_cuda, "cudnn": None, "mps_ok": 1}
if cuda:
    pass
cuda_version = "12.4"
print(torch.ones(2), options, cuda_version, [cuda for cuda in (1, 2)], (lambda mps: mps)(3))
