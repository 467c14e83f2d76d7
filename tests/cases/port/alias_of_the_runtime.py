import torch as T
import torch.cuda as tc

if tc.device_count() == 0:
    raise RuntimeError("no GPU")
with T.cuda.device(0):
    a = T.ones(3, 3).cuda()
    b = T.linalg.inv(a + T.eye(3, device="cuda"))
tc.synchronize()
T.cuda.synchronize()
print(b.cpu())
# output
import torch as T
import torch.xpu as tc

if tc.device_count() == 0:
    raise RuntimeError("no GPU")
with T.xpu.device(0):
    a = T.ones(3, 3).to("xpu")
    b = T.linalg.inv(a + T.eye(3, device="xpu"))
tc.synchronize()
T.xpu.synchronize()
print(b.cpu())
