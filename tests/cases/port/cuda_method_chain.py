import torch

pool = torch.nn.AdaptiveMaxPool2d(7).half().cuda().eval()
picture = (
    torch.arange(49.0)
    .reshape(1, 1, 7, 7)  # one channel
    .half()
    .cuda()
)
best = pool.cuda()((picture).cuda(non_blocking=True)).cpu()
print(best)
# output
import torch

pool = torch.nn.AdaptiveMaxPool2d(7).half().to("xpu").eval()
picture = (
    torch.arange(49.0)
    .reshape(1, 1, 7, 7)  # one channel
    .half()
    .to("xpu")
)
best = pool.to("xpu")((picture).to("xpu", non_blocking=True)).cpu()
print(best)
