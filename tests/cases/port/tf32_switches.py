import os

os.environ["NVIDIA_TF32_OVERRIDE"] = "0"
import torch

torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
torch.set_float32_matmul_precision("high")
print(torch.ones(2, 2, device="cuda").matmul(torch.ones(2, 2, device="cuda")))
# output
import os

pass
import torch

pass
pass
torch.set_float32_matmul_precision("high")
print(torch.ones(2, 2, device="xpu").matmul(torch.ones(2, 2, device="xpu")))
