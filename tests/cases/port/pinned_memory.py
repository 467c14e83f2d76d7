import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.arange(4.0), batch_size=2, pin_memory=True, pin_memory_device="cuda", multiprocessing_context="spawn")
x = torch.ones(2).pin_memory()
y = torch.ones(2).pin_memory("cuda").is_pinned("cuda")
print(x.cuda(non_blocking=True), y, [b.cuda(None, True) for b in loader])
# output
import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.arange(4.0), batch_size=2, pin_memory=True, pin_memory_device="xpu", multiprocessing_context="spawn")
x = torch.ones(2).pin_memory()
y = torch.ones(2).pin_memory("xpu").is_pinned("xpu")
print(x.to("xpu", non_blocking=True), y, [b.to("xpu", non_blocking=True) for b in loader])
