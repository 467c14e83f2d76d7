# refused: places can't be told
import torch
<U+000C>x = torch.ones(2).cuda()
