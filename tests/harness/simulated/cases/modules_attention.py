"""Modules attention."""

import torch

torch.manual_seed(0)
layer = torch.nn.MultiheadAttention(8, 2, batch_first=True).to("xpu")
q = torch.randn(2, 3, 8).to("xpu")
out, weights = layer(q, q, q)
print(out.shape, [round(one, 4) for one in weights[0, 0].tolist()])
q4 = torch.randn(1, 2, 5, 4).to("xpu").requires_grad_()
out = torch.nn.functional.scaled_dot_product_attention(q4, q4, q4, is_causal=True)
out.sum().backward()
print([round(one, 3) for one in q4.grad.sum((0, 1, 3)).tolist()])
block = torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True).to("xpu")
print(block(q).shape)
