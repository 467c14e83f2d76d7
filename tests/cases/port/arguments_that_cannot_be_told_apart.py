# leftover: 7: can't be told apart
# leftover: 8: can't be told apart
# leftover: 9: can't be told apart
import torch

x, where = torch.ones(2), (0, True)
y = x.cuda(*where)
z = x.cuda(0, False, torch.preserve_format)
with torch.cuda.amp.autocast(*where):
    pass
