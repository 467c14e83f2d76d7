import torch
<U+000C>x = torch.ones(2).cuda()
# output
import torch
<U+000C>x = torch.ones(2).to("xpu")
