# leftover: 7: asks for cuDNN itself
# leftover: 8: asks for cuDNN itself
# leftover: 10: switch of another device's library, cuDNN (does not matter)
# leftover: 11: switch of another device's library, CUDA
import torch

torch.backends.cudnn.enabled = True
with torch.backends.cudnn.flags(enabled=True):
    layer = torch.nn.Conv1d(1, 1, 3)
print(torch.backends.cudnn.version())
torch.backends.cuda.preferred_linalg_library("magma")
print(layer(torch.ones(1, 1, 9)))
