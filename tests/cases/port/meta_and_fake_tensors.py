import torch
from torch._subclasses.fake_tensor import FakeTensorMode

x = torch.empty(3, 4, device="meta")
with FakeTensorMode(allow_non_fake_inputs=True):
    y = torch.ones(3, 4) + 1
assert x.device.type == "meta" and y.device.type == "cpu"
print(torch.nn.functional.glu(x).shape, y.shape)
