import torch


class Batch:
    def __init__(self, values):
        self.values = values

    def cuda(self):
        self.values = self.values.cuda()
        return self


batch = Batch(torch.ones(5)).cuda()
loose = torch.ones(5)
print(batch.values + loose.cuda())
# output
import torch


class Batch:
    def __init__(self, values):
        self.values = values

    def cuda(self):
        self.values = self.values.to("xpu")
        return self


batch = Batch(torch.ones(5)).cuda()
loose = torch.ones(5)
print(batch.values + loose.to("xpu"))
