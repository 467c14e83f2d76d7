import torch
from dataclasses import dataclass


@dataclass
class Arguments:
    no_cuda: bool = False
    cuda_deterministic: bool = True
    n_gpu: int = 0

    @property
    def device(self):
        return torch.device("cpu")


arguments = Arguments(no_cuda=True, cuda_deterministic=False)
print(torch.zeros(1, device=arguments.device), arguments.no_cuda or arguments.cuda_deterministic)
