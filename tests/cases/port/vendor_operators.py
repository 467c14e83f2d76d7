# leftover: 8: cudnn_convolution
# leftover: 9: cudnn_batch_norm
# leftover: 10: cudnn_is_acceptable
# leftover: 11: miopen_convolution
import torch

x, w = torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2)
a = torch.ops.aten.cudnn_convolution(x, w, [0, 0], [1, 1], [1, 1], 1, False, False, False)
b = torch.ops.aten.cudnn_batch_norm.default
c = torch.cudnn_is_acceptable(x)
d = torch.ops.aten.miopen_convolution
e = torch.ops.aten.convolution(x, w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
f = torch._C._nn.gelu(e) + torch.ops.aten._fused_dropout.default(x, 0.5)[0].sum()
