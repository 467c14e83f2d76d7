import torch

s1, s2 = torch.cuda.Stream(), torch.cuda.Stream(device="cuda", priority=-1)
with torch.cuda.stream(s1):
    x = torch.ones(1 << 16, device="cuda")
s2.wait_stream(s1)
with torch.cuda.StreamContext(s2):
    y = x.cumsum(0)
y.record_stream(torch.cuda.current_stream())
s2.synchronize()
torch.cuda.current_stream("cuda").wait_stream(s2)
torch.cuda.synchronize()
print(y[-1], isinstance(s1, torch.cuda.Stream))
# output
import torch

s1, s2 = torch.xpu.Stream(), torch.xpu.Stream(device="xpu", priority=-1)
with torch.xpu.stream(s1):
    x = torch.ones(1 << 16, device="xpu")
s2.wait_stream(s1)
with torch.xpu.StreamContext(s2):
    y = x.cumsum(0)
y.record_stream(torch.xpu.current_stream())
s2.synchronize()
torch.xpu.current_stream("xpu").wait_stream(s2)
torch.xpu.synchronize()
print(y[-1], isinstance(s1, torch.xpu.Stream))
