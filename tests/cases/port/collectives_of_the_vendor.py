# leftover: 4: torch.cuda.nccl
# leftover: 6: torch.cuda.nccl
import torch
import torch.cuda.nccl as nccl

print(nccl.version(), torch.ones(1))
