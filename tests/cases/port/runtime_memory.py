import torch
from torch.cuda.memory import max_memory_allocated

x = torch.empty(1 << 20, device="cuda")
torch.cuda.memory.empty_cache()
print(max_memory_allocated(), torch.cuda.memory_stats()["allocated_bytes.all.peak"])
torch.cuda.random.manual_seed(3)
print(torch.cuda.memory_reserved(0), torch.cuda.mem_get_info()[0])
# output
import torch
from torch.xpu import max_memory_allocated

x = torch.empty(1 << 20, device="xpu")
torch.xpu.empty_cache()
print(max_memory_allocated(), torch.xpu.memory_stats()["allocated_bytes.all.peak"])
torch.xpu.manual_seed(3)
print(torch.xpu.memory_reserved(0), torch.xpu.mem_get_info()[0])
