import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

q, k, v = (torch.randn(1, 2, 8, 16, device="cuda", dtype=torch.float16) for _ in range(3))
torch.backends.cuda.enable_flash_sdp(False)
torch.backends.cuda.enable_mem_efficient_sdp(False)
with sdpa_kernel([SDPBackend.MATH]):
    out = F.scaled_dot_product_attention(q, k, v)
wanted = F.scaled_dot_product_attention(q.cpu().float(), k.cpu().float(), v.cpu().float())
print((out.cpu().float() - wanted).abs().max())
# output
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

q, k, v = (torch.randn(1, 2, 8, 16, device="xpu", dtype=torch.float16) for _ in range(3))
torch.backends.cuda.enable_flash_sdp(False)
torch.backends.cuda.enable_mem_efficient_sdp(False)
with sdpa_kernel([SDPBackend.MATH]):
    out = F.scaled_dot_product_attention(q, k, v)
wanted = F.scaled_dot_product_attention(q.cpu().float(), k.cpu().float(), v.cpu().float())
print((out.cpu().float() - wanted).abs().max())
