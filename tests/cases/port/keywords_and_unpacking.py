import torch

kwargs = dict(device="cuda", dtype=torch.float16)
more = {"device": "cuda:0", "requires_grad": True}
x = torch.ones(2, **kwargs) + torch.ones(2, **{"device": "cuda"}) + torch.zeros(2, **more)
y = x.to(**{"device": "cpu"}) if kwargs["device"] == "cuda" else x
kwargs.update(device="cuda"), kwargs.setdefault("device", "cuda")
print(y)
# output
import torch

kwargs = dict(device="xpu", dtype=torch.float16)
more = {"device": "xpu:0", "requires_grad": True}
x = torch.ones(2, **kwargs) + torch.ones(2, **{"device": "xpu"}) + torch.zeros(2, **more)
y = x.to(**{"device": "cpu"}) if kwargs["device"] == "xpu" else x
kwargs.update(device="xpu"), kwargs.setdefault("device", "xpu")
print(y)
