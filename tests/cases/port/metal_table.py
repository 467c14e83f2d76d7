import torch, time
import torch.nn.functional as F


def measure(mode, pad, dtype, n=2):
    image = torch.randn(2, 3, 12, 12, device="mps", dtype=dtype, requires_grad=True)
    grid = (torch.rand(2, 12, 12, 2, device="mps", dtype=dtype) * 2 - 1).requires_grad_()
    out = F.grid_sample(image, grid, mode=mode, padding_mode=pad, align_corners=True)
    seed = torch.ones_like(out)
    out.backward(seed, retain_graph=True)
    torch.mps.synchronize()
    began = time.perf_counter()
    for _ in range(n):
        out.backward(seed, retain_graph=True)
    torch.mps.synchronize()
    return (time.perf_counter() - began) / n * 1e3


print("| mode | padding | dtype | ms |\n|---|---|---|---|")
for mode in ("bilinear", "nearest"):
    for pad in ("zeros", "border", "reflection"):
        for dtype in (torch.float32, torch.float16, torch.bfloat16):
            print(f"| {mode} | {pad} | {str(dtype)[6:]} | {measure(mode, pad, dtype):.2f} |")
# output
import torch, time
import torch.nn.functional as F


def measure(mode, pad, dtype, n=2):
    image = torch.randn(2, 3, 12, 12, device="xpu", dtype=dtype, requires_grad=True)
    grid = (torch.rand(2, 12, 12, 2, device="xpu", dtype=dtype) * 2 - 1).requires_grad_()
    out = F.grid_sample(image, grid, mode=mode, padding_mode=pad, align_corners=True)
    seed = torch.ones_like(out)
    out.backward(seed, retain_graph=True)
    torch.xpu.synchronize()
    began = time.perf_counter()
    for _ in range(n):
        out.backward(seed, retain_graph=True)
    torch.xpu.synchronize()
    return (time.perf_counter() - began) / n * 1e3


print("| mode | padding | dtype | ms |\n|---|---|---|---|")
for mode in ("bilinear", "nearest"):
    for pad in ("zeros", "border", "reflection"):
        for dtype in (torch.float32, torch.float16, torch.bfloat16):
            print(f"| {mode} | {pad} | {str(dtype)[6:]} | {measure(mode, pad, dtype):.2f} |")
