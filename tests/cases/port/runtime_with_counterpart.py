import torch

if not torch.cuda.is_available():
    raise SystemExit("nothing to show")
torch.cuda.init()
torch.cuda.manual_seed_all(5)
with torch.cuda.device(0):
    torch.cuda.reset_peak_memory_stats()
    lots = torch.empty(1 << 20, device="cuda").uniform_()
    torch.cuda.current_stream().synchronize()
    torch . cuda . synchronize()
print(lots.is_cuda, torch.cuda.max_memory_allocated() // 2**20)
# output
import torch

if not torch.xpu.is_available():
    raise SystemExit("nothing to show")
torch.xpu.init()
torch.xpu.manual_seed_all(5)
with torch.xpu.device(0):
    torch.xpu.reset_peak_memory_stats()
    lots = torch.empty(1 << 20, device="xpu").uniform_()
    torch.xpu.current_stream().synchronize()
    torch.xpu.synchronize()
print(lots.is_xpu, torch.xpu.max_memory_allocated() // 2**20)
