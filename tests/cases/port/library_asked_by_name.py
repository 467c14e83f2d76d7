# leftover: 5: CUDA
# leftover: 6: cuDNN (does not matter)
import torch

torch.backends.cuda.preferred_linalg_library("magma")
print(torch.backends.cudnn.version())
print(torch.linalg.eigh(torch.eye(3)))
