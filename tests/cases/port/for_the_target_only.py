import torch

if not torch.xpu.is_available():
    raise SystemExit("no XPU")
torch.xpu.manual_seed(2)
x = torch.ones(4, device="xpu:0").to("xpu")
with torch.amp.autocast("xpu", dtype=torch.float16), torch.xpu.stream(torch.xpu.Stream()):
    print((x.reshape(2, 2) @ x.reshape(2, 2)).dtype, x.is_xpu, x.type() == "torch.xpu.FloatTensor")
torch.xpu.synchronize()
