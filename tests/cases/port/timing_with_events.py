import torch

start = torch.cuda.Event(enable_timing=True)
end = torch.cuda.Event(enable_timing=True)
x = torch.randn(1024, 1024, device="cuda:0")
stream = torch.cuda.Stream()
with torch.cuda.stream(stream):
    start.record()
    for _ in range(10):
        y = torch.linalg.vector_norm(x, dim=-1)
    end.record()
torch.cuda.current_stream().wait_stream(stream)
torch.cuda.synchronize()
print("ms:", start.elapsed_time(end) / 10)
# output
import torch

start = torch.xpu.Event(enable_timing=True)
end = torch.xpu.Event(enable_timing=True)
x = torch.randn(1024, 1024, device="xpu:0")
stream = torch.xpu.Stream()
with torch.xpu.stream(stream):
    start.record()
    for _ in range(10):
        y = torch.linalg.vector_norm(x, dim=-1)
    end.record()
torch.xpu.current_stream().wait_stream(stream)
torch.xpu.synchronize()
print("ms:", start.elapsed_time(end) / 10)
