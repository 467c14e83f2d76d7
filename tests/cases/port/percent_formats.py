import torch

for i in range(torch.cuda.device_count()):
    a = torch.ones(2, device="cuda:%d" % i)
    b = torch.ones(2, device="cuda:%s" % str(i))
    c = torch.ones(2).to("%s:%d" % ("cuda", i))
    print("cuda %d: %s" % (i, a + b + c), "%s is not cuda" % a.device)
# output
import torch

for i in range(torch.xpu.device_count()):
    a = torch.ones(2, device="xpu:%d" % i)
    b = torch.ones(2, device="xpu:%s" % str(i))
    c = torch.ones(2).to("%s:%d" % ("xpu", i))
    print("cuda %d: %s" % (i, a + b + c), "%s is not cuda" % a.device)
