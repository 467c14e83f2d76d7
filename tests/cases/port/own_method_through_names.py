import torch


class Holder(dict):
    def cuda(self, *args, **kwargs):
        return self

    def mps(self):
        return self


class Wrapped(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cuda_enabled = False

    def forward(self, x):
        return x


h = Holder(x=1)
h = h.cuda()
print(h.cuda().get("x"), Holder().cuda(0, False), h.mps(), Wrapped()(torch.ones(1)))
