# refused: too long
import torch
x = "<U+0061*100001>"
y = torch.ones(1).cuda()
