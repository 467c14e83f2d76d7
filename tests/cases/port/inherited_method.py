import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 3)

    def cuda(self, device=None):
        self.moved = True
        return super().cuda(device)

    def forward(self, x):
        return self.layer(x)


class Plain(torch.nn.Module):
    def forward(self, x):
        return x


net, plain = Net().cuda(), Plain().cuda()
print(plain(net.layer.cuda()(torch.ones(3).cuda())))
# output
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 3)

    def cuda(self, device=None):
        self.moved = True
        return super().to(device if device is not None else "xpu")

    def forward(self, x):
        return self.layer(x)


class Plain(torch.nn.Module):
    def forward(self, x):
        return x


net, plain = Net().cuda(), Plain().to("xpu")
print(plain(net.layer.to("xpu")(torch.ones(3).to("xpu"))))
