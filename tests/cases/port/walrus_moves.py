import torch

while (x := torch.randperm(6).cuda())[0] != 0:
    pass
if not (ok := bool((y := x.to("cuda")).is_cuda)):
    raise SystemExit(y.device)
print(ok, x.argsort())
# output
import torch

while (x := torch.randperm(6).to("xpu"))[0] != 0:
    pass
if not (ok := bool((y := x.to("xpu")).is_xpu)):
    raise SystemExit(y.device)
print(ok, x.argsort())
