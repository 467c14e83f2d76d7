import torch
from torch.backends import cudnn

cudnn.enabled = False
cudnn.deterministic = True
cudnn.benchmark = False


def run():
    torch.backends.cudnn.enabled = False
    with cudnn.flags(enabled=False, benchmark=True):
        return torch.nn.GRU(2, 2).cuda()(torch.ones(1, 1, 2, device="cuda"))


print(run())
# output
import torch
from torch.backends import cudnn

pass
pass
pass


def run():
    pass
    with __import__("contextlib").nullcontext():
        return torch.nn.GRU(2, 2).to("xpu")(torch.ones(1, 1, 2, device="xpu"))


print(run())
