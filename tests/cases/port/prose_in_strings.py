import warnings

import torch

x = torch.ones(2)
warnings.warn("x.cuda() is slow, call torch.cuda.synchronize() after it")
assert x.sum() == 2, "use device='cuda' or cuda:0 instead"
parser_help = "cuda, cuda:1 or cpu"
print("cuda:", x, "CUDA", "cuda version", "on cuda", "cudnn", "cuda/cpu", "cuda-12", "max diff cuda vs cpu:")
raise SystemExit("RuntimeError: CUDA error: an illegal memory access; torch.cuda.is_available() is True")
