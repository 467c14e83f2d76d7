import torch

count = torch.cuda.device_count()
names = [f"cuda:{i}" for i in range(count)]
names += ["cuda:%d" % i for i in range(count)]
names += ["cuda:{}".format(i) for i in range(count)]
names += ["cuda:" + str(i) for i in range(count)]
for name in names:
    x = torch.ones(2, device=name)
    print(f"{name:>8}: {x.to('cuda').sum().item():.2f}", "cuda: %s" % name)
# output
import torch

count = torch.xpu.device_count()
names = [f"xpu:{i}" for i in range(count)]
names += ["xpu:%d" % i for i in range(count)]
names += ["xpu:{}".format(i) for i in range(count)]
names += ["xpu:" + str(i) for i in range(count)]
for name in names:
    x = torch.ones(2, device=name)
    print(f"{name:>8}: {x.to('xpu').sum().item():.2f}", "cuda: %s" % name)
