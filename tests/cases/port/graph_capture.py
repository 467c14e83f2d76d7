# leftover: 13: torch.cuda._sleep
import torch

x = torch.zeros(8, device="cuda")
graph = torch.cuda.CUDAGraph()
side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    x.add_(1)
with torch.cuda.graph(graph, stream=side):
    y = x.cumsum(0)
graph.replay()
torch.cuda._sleep(1000)
torch.cuda.synchronize()
print(y)
# output
import torch

x = torch.zeros(8, device="xpu")
graph = torch.xpu.XPUGraph()
side = torch.xpu.Stream()
side.wait_stream(torch.xpu.current_stream())
with torch.xpu.stream(side):
    x.add_(1)
with torch.xpu.graph(graph, stream=side):
    y = x.cumsum(0)
graph.replay()
torch.cuda._sleep(1000)
torch.xpu.synchronize()
print(y)
