import torch


class Bag:
    def __init__(self, **tensors):
        self.tensors = tensors

    def cuda(self, non_blocking=False):
        return Bag(**{k: v.cuda(non_blocking=non_blocking) for k, v in self.tensors.items()})


bag = Bag(x=torch.ones(3), y=torch.zeros(3))
bag = bag.cuda()
print({name: value.device.type for name, value in bag.tensors.items()})
# output
import torch


class Bag:
    def __init__(self, **tensors):
        self.tensors = tensors

    def cuda(self, non_blocking=False):
        return Bag(**{k: v.to("xpu", non_blocking=non_blocking) for k, v in self.tensors.items()})


bag = Bag(x=torch.ones(3), y=torch.zeros(3))
bag = bag.cuda()
print({name: value.device.type for name, value in bag.tensors.items()})
