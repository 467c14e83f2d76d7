import torch

x = torch.randn(1, 2, 4, 4)
out, mask = torch.ops.aten.native_dropout(x, 0.5, True)
g = torch.ops.aten.upsample_nearest2d_backward.default(out, [4, 4], [1, 2, 4, 4], None, None)
print(torch._C._dispatch_has_kernel_for_dispatch_key("aten::add.Tensor", "CUDA"), g.shape, mask.dtype)
