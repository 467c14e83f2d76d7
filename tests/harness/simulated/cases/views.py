"""Views."""

import torch

torch.manual_seed(0)
base = torch.arange(12.0, device="xpu")
view = base.view(3, 4)
part = view[1:, 1:3]
part.mul_(10)
print(base, view.t().stride(), part.is_contiguous(), part._base is base, view.storage_offset(), part.storage_offset())
print(view.permute(1, 0).reshape(-1)[:3], view.expand(2, 3, 4).shape, view.unfold(1, 2, 2).shape, view.as_strided((2, 2), (1, 2)))
print(torch.split(base, 5), torch.chunk(view, 2, dim=1)[1], view.diagonal(), base.unflatten(0, (2, 6)).shape)
leaf = torch.ones(3, device="xpu", requires_grad=True)
copy = leaf * 1
copy[:2].mul_(3)
copy.sum().backward()
print(leaf.grad)
