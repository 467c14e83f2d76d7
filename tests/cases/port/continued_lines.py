import torch
x = torch \
    .ones(3) \
    .cuda()
y = x. \
    cpu() + torch.ones(3) \
    .to( \
        "cuda" \
    ).cpu()
assert x.is_cuda \
    and y.device.type \
    == "cpu"
# output
import torch
x = torch \
    .ones(3) \
    .to("xpu")
y = x. \
    cpu() + torch.ones(3) \
    .to( \
        "xpu" \
    ).cpu()
assert x.is_xpu \
    and y.device.type \
    == "cpu"
