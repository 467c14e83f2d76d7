import torch
_ = torch.manual_seed(0)
a = torch.randn(2, 2).cuda()
a
_
a.device
torch.svd(a)[1] # tensor([1.9, 0.4], device='cuda:0')
#tensor([1.9, 0.4])
# output
import torch
_ = torch.manual_seed(0)
a = torch.randn(2, 2).to("xpu")
a
_
a.device
torch.svd(a)[1] # tensor([1.9, 0.4], device='cuda:0')
#tensor([1.9, 0.4])
