import torch

torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
torch.backends.cudnn.enabled = False
torch.set_float32_matmul_precision("highest")
conv = torch.nn.ConvTranspose3d(2, 2, 3, stride=2).cuda()
x = torch.ones(1, 2, 4, 4, 4, device="cuda", requires_grad=True)
conv(x).sum().backward()
print(x.grad.sum().item())
# output
import torch

pass
pass
pass
torch.set_float32_matmul_precision("highest")
conv = torch.nn.ConvTranspose3d(2, 2, 3, stride=2).to("xpu")
x = torch.ones(1, 2, 4, 4, 4, device="xpu", requires_grad=True)
conv(x).sum().backward()
print(x.grad.sum().item())
