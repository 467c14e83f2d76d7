import torch
import torch.utils.benchmark as benchmark

x = torch.randn(256, 256, device="cuda")
timer = benchmark.Timer(
    stmt="torch.sort(x); torch.cuda.synchronize()",
    setup="import torch; x = x.cuda()",
    globals={"x": x},
    label="cuda against cpu",
)
print(timer.timeit(10))
# output
import torch
import torch.utils.benchmark as benchmark

x = torch.randn(256, 256, device="xpu")
timer = benchmark.Timer(
    stmt="torch.sort(x); torch.xpu.synchronize()",
    setup="import torch; x = x.to('xpu')",
    globals={"x": x},
    label="cuda against cpu",
)
print(timer.timeit(10))
