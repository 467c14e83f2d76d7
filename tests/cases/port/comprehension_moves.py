import torch

rows = [torch.full((n,), 0.5).cuda() for n in (1, 32, 33)]
by_size = {len(r): r.cuda(non_blocking=True) for r in rows if r.is_cuda}
print({n: torch.cumsum(r, 0)[-1].item() for n, r in by_size.items()})
# output
import torch

rows = [torch.full((n,), 0.5).to("xpu") for n in (1, 32, 33)]
by_size = {len(r): r.to("xpu", non_blocking=True) for r in rows if r.is_xpu}
print({n: torch.cumsum(r, 0)[-1].item() for n, r in by_size.items()})
