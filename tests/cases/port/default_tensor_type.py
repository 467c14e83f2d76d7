# leftover: 7: torch.cuda.FloatTensor
import torch

torch.set_default_tensor_type("torch.cuda.FloatTensor")
x = torch.rand(3, 3)
u, s, vh = torch.linalg.svd(x)
Tensor = torch.cuda.FloatTensor
print((u @ torch.diag(s) @ vh - x).abs().max(), x.is_cuda)
# output
import torch

(torch.set_default_device("xpu"), torch.set_default_dtype(torch.float32))
x = torch.rand(3, 3)
u, s, vh = torch.linalg.svd(x)
Tensor = torch.cuda.FloatTensor
print((u @ torch.diag(s) @ vh - x).abs().max(), x.is_xpu)
