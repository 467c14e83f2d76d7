import torch


class Flags:
    cudart = 1
    cuda_like = 2
    compute = "accuda"


macuda = torch.ones(2)
mpsx, barracuda = Flags.cuda_like, macuda.sum()
print(mpsx, barracuda, Flags.cudart, "cuda_kernel", "mps_fallback", "xcuda:0", "cuda:x")
