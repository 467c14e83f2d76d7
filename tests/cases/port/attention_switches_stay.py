import torch
from torch.backends.cuda import sdp_kernel
from torch.nn.attention import SDPBackend, sdpa_kernel

torch.backends.cuda.enable_flash_sdp(False)
torch.backends.cuda.enable_math_sdp(True)
assert not torch.backends.cuda.flash_sdp_enabled()
x = torch.ones(1, 1, 4, 8)
with sdp_kernel(enable_flash=False), sdpa_kernel(SDPBackend.MATH):
    print(torch.nn.functional.scaled_dot_product_attention(x, x, x))
