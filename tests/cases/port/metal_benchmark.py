import time

import torch

shapes = [(1, 3, 64, 64), (4, 16, 128, 128)]
dtypes = [torch.float32, torch.float16]


def bench(fn, warmup=3, steps=20):
    for _ in range(warmup):
        fn()
    torch.mps.synchronize()
    begin = time.perf_counter()
    for _ in range(steps):
        fn()
    torch.mps.synchronize()
    return (time.perf_counter() - begin) / steps * 1e3


print(f"{'shape':<24}{'dtype':<18}{'ms':>8}")
for shape in shapes:
    for dtype in dtypes:
        x = torch.randn(*shape, device="mps", dtype=dtype)
        taken = bench(lambda: torch.nn.functional.interpolate(x, scale_factor=2, mode="bicubic"))
        print(f"{shape!s:<24}{dtype!s:<18}{taken:>8.3f}")
# output
import time

import torch

shapes = [(1, 3, 64, 64), (4, 16, 128, 128)]
dtypes = [torch.float32, torch.float16]


def bench(fn, warmup=3, steps=20):
    for _ in range(warmup):
        fn()
    torch.xpu.synchronize()
    begin = time.perf_counter()
    for _ in range(steps):
        fn()
    torch.xpu.synchronize()
    return (time.perf_counter() - begin) / steps * 1e3


print(f"{'shape':<24}{'dtype':<18}{'ms':>8}")
for shape in shapes:
    for dtype in dtypes:
        x = torch.randn(*shape, device="xpu", dtype=dtype)
        taken = bench(lambda: torch.nn.functional.interpolate(x, scale_factor=2, mode="bicubic"))
        print(f"{shape!s:<24}{dtype!s:<18}{taken:>8.3f}")
