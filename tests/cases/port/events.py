import torch
from torch.cuda import Event

start, end = Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
start.record()
torch.ones(1024, device="cuda").sort()
end.record(torch.cuda.current_stream())
end.synchronize()
print(f"{start.elapsed_time(end):.3f} ms", end.query())
# output
import torch
from torch.xpu import Event

start, end = Event(enable_timing=True), torch.xpu.Event(enable_timing=True)
start.record()
torch.ones(1024, device="xpu").sort()
end.record(torch.xpu.current_stream())
end.synchronize()
print(f"{start.elapsed_time(end):.3f} ms", end.query())
