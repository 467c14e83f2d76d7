import torch

x = torch.zeros(2, device="cuda")
g, pool = torch.cuda.CUDAGraph(), torch.cuda.graph_pool_handle()
with torch.cuda.graph(g, pool=pool):
    y = x + 1
g.replay()
f = torch.cuda.make_graphed_callables(torch.nn.Linear(2, 2).cuda(), (x,))
print(y, f(x), torch.cuda.is_current_stream_capturing())
# output
import torch

x = torch.zeros(2, device="xpu")
g, pool = torch.xpu.XPUGraph(), torch.xpu.graph_pool_handle()
with torch.xpu.graph(g, pool=pool):
    y = x + 1
g.replay()
f = torch.xpu.make_graphed_callables(torch.nn.Linear(2, 2).to("xpu"), (x,))
print(y, f(x), torch.xpu.is_current_stream_capturing())
