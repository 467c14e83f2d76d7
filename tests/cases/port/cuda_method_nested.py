import torch

weight, rows = torch.randn(8, 4), torch.tensor([0, 7, 7])
picked = torch.nn.functional.embedding(rows.cuda(), weight.cuda()).cuda(weight.cuda(device=rows.cuda().device).device)
print(picked.sum(dim=0))
# output
import torch

weight, rows = torch.randn(8, 4), torch.tensor([0, 7, 7])
picked = torch.nn.functional.embedding(rows.to("xpu"), weight.to("xpu")).to(weight.to(rows.to("xpu").device).device)
print(picked.sum(dim=0))
