import torch


@torch.compile(mode="reduce-overhead", fullgraph=True)
def f(x, y):
    return torch.nn.functional.silu(x) @ y


x = torch.randn(16, 16, device="cuda")
torch._dynamo.reset()
print((f(x, x) - torch.compile(torch.mm, backend="aot_eager")(torch.nn.functional.silu(x), x)).abs().max(), torch._dynamo.config.cache_size_limit)
# output
import torch


@torch.compile(mode="reduce-overhead", fullgraph=True)
def f(x, y):
    return torch.nn.functional.silu(x) @ y


x = torch.randn(16, 16, device="xpu")
torch._dynamo.reset()
print((f(x, x) - torch.compile(torch.mm, backend="aot_eager")(torch.nn.functional.silu(x), x)).abs().max(), torch._dynamo.config.cache_size_limit)
