# leftover: 11: torch.mps.profiler
import torch

if not torch.backends.mps.is_available():
    raise SystemExit("no mps device")
torch.mps.manual_seed(1)
before = torch.mps.current_allocated_memory()
x = torch.rand(3).to("mps")
event = torch.mps.event.Event(enable_timing=True)
torch.mps.empty_cache()
torch.mps.profiler.start()
print(x.device.type == "mps", x.is_mps, torch.mps.driver_allocated_memory() - before)
# output
import torch

if not torch.xpu.is_available():
    raise SystemExit("no mps device")
torch.xpu.manual_seed(1)
before = torch.xpu.memory_allocated()
x = torch.rand(3).to("xpu")
event = torch.xpu.Event(enable_timing=True)
torch.xpu.empty_cache()
torch.mps.profiler.start()
print(x.device.type == "xpu", x.is_xpu, torch.xpu.memory_reserved() - before)
