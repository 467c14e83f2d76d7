import torch

assert torch.ones(1).sum() == 1, "CUDA error: it should be one"
print("CUDA error" if torch.ones(1) > 2 else "cuDNN is not asked", "MPS", f"HIP {1}")
mode = "cuda_fp16" if torch.ones(1) > 2 else "plain"
if mode == "cuda_fp16":
    raise RuntimeError("CUDA error")
