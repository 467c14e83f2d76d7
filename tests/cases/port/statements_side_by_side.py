import torch; x = torch.ones(3); y = x.cuda(); torch.cuda.synchronize()
if y.device.type == 'cuda': print('on gpu'); y = y * 2
z = torch.ones(3) \
    .to(torch.float16) \
    .cuda()
w = torch.cat([  # both of them
    y,  # the first, from cuda
    z.cuda().float(),
])
print(w)
# output
import torch; x = torch.ones(3); y = x.to("xpu"); torch.xpu.synchronize()
if y.device.type == 'xpu': print('on gpu'); y = y * 2
z = torch.ones(3) \
    .to(torch.float16) \
    .to("xpu")
w = torch.cat([  # both of them
    y,  # the first, from cuda
    z.to("xpu").float(),
])
print(w)
