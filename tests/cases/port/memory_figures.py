# leftover: 22: torch.cuda.memory_summary
import gc

import torch


def peak(fn):
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    fn()
    torch.cuda.synchronize()
    return torch.cuda.max_memory_allocated() - before


x = torch.rand(1 << 20, device="cuda")
print(f"sort: {peak(lambda: x.sort()) / 2**20:.1f} MiB")
free, total = torch.cuda.mem_get_info()
if total < 20 * 1024**3:
    raise SystemExit("needs 20 GB")
print(torch.cuda.memory_summary())
# output
import gc

import torch


def peak(fn):
    gc.collect()
    torch.xpu.empty_cache()
    torch.xpu.reset_peak_memory_stats()
    before = torch.xpu.memory_allocated()
    fn()
    torch.xpu.synchronize()
    return torch.xpu.max_memory_allocated() - before


x = torch.rand(1 << 20, device="xpu")
print(f"sort: {peak(lambda: x.sort()) / 2**20:.1f} MiB")
free, total = torch.xpu.mem_get_info()
if total < 20 * 1024**3:
    raise SystemExit("needs 20 GB")
print(torch.cuda.memory_summary())
