import torch

TOLERANCES = {torch.float16: 1e-3, torch.bfloat16: 1e-2, torch.float32: 1e-6}
NAMES = {"half": torch.float16, "cuda_half": torch.half, "float": torch.float}
for dtype, tolerance in TOLERANCES.items():
    x = torch.linspace(-4, 4, 9, dtype=dtype)
    print(f"{str(dtype):<16}{tolerance:>8g}", torch.erf(x).double().sub(torch.erf(x.double())).abs().max() < tolerance, torch.finfo(dtype).eps)
