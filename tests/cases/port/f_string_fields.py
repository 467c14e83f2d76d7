import torch

x, width = torch.ones(3), 12
print(f"{x.cuda()!r:>{width}}", f'{x.to("cuda").sum():.2f} on cuda', f"{x.is_cuda = }")
print(f"""
  sum on cuda: {x.cuda().sum().item():8.3f}
  {'cuda'}: {torch.ones(1, device="cuda")}
""")
print(f"{'%s' % x.device}" " cuda " f"{torch.cuda.memory_allocated():,d} bytes")
# output
import torch

x, width = torch.ones(3), 12
print(f"{x.to('xpu')!r:>{width}}", f'{x.to("xpu").sum():.2f} on cuda', f"{x.is_xpu = }")
print(f"""
  sum on cuda: {x.to("xpu").sum().item():8.3f}
  {'xpu'}: {torch.ones(1, device="xpu")}
""")
print(f"{'%s' % x.device}" " cuda " f"{torch.xpu.memory_allocated():,d} bytes")
