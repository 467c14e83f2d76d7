import torch
from torch.cuda.amp import custom_bwd, custom_fwd


class Double(torch.autograd.Function):
    @staticmethod
    @custom_fwd(cast_inputs=torch.float32)
    def forward(ctx, x):
        return x * 2

    @staticmethod
    @custom_bwd
    def backward(ctx, grad):
        return grad * 2


x = torch.ones(2, device="cuda", requires_grad=True)
with torch.autocast(device_type="cuda", dtype=torch.float16):
    Double.apply(x).sum().backward()
print(x.grad, torch.get_autocast_gpu_dtype())
# output
import torch
from torch.amp import custom_bwd, custom_fwd


class Double(torch.autograd.Function):
    @staticmethod
    @custom_fwd(cast_inputs=torch.float32, device_type="xpu")
    def forward(ctx, x):
        return x * 2

    @staticmethod
    @custom_bwd(device_type="xpu")
    def backward(ctx, grad):
        return grad * 2


x = torch.ones(2, device="xpu", requires_grad=True)
with torch.autocast(device_type="xpu", dtype=torch.float16):
    Double.apply(x).sum().backward()
print(x.grad, torch.get_autocast_dtype("xpu"))
