import torch

x = torch.randn(7, 513, device="xpu:0").to("xpu", torch.float16)
torch.xpu.synchronize()
print(x.is_xpu, torch.nn.functional.softmax(x, dim=-1).sum(dim=-1))
