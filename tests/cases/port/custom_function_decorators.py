import torch
from torch.cuda.amp import custom_bwd, custom_fwd


class Cube(torch.autograd.Function):
    @staticmethod
    @custom_fwd
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    @torch.cuda.amp.custom_bwd
    def backward(ctx, grad):
        return 3 * ctx.saved_tensors[0] ** 2 * grad


@torch.cuda.amp.custom_fwd(cast_inputs=torch.float16)
def forward(ctx, x):
    return x


print(Cube.apply(torch.ones(1, device="cuda")))
# output
import torch
from torch.amp import custom_bwd, custom_fwd


class Cube(torch.autograd.Function):
    @staticmethod
    @custom_fwd(device_type="xpu")
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    @torch.amp.custom_bwd(device_type="xpu")
    def backward(ctx, grad):
        return 3 * ctx.saved_tensors[0] ** 2 * grad


@torch.amp.custom_fwd(cast_inputs=torch.float16, device_type="xpu")
def forward(ctx, x):
    return x


print(Cube.apply(torch.ones(1, device="xpu")))
