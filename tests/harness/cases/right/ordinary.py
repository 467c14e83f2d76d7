# checked: 900
# What people write, on numbers without traps: no kernel that this reaches is known to be wrong.
import torch
from torch.nn import functional

torch.manual_seed(7)
FLOATS = (torch.bfloat16, torch.float16, torch.float32)


def draw(*shape, dtype):
    return torch.randn(shape).to(dtype)


def reductions(dtype):
    x = draw(64, 33, dtype=dtype)
    x.sum(), x.mean(1), x.var(0), x.std(), x.norm(), x.logsumexp(1), x.amax(1), x.argmax(1), x[:, :4].prod(1)
    x.cumsum(1), x[:, :8].cumprod(1), x.cummax(1), torch.ones(4096, dtype=dtype).sum(), x.median(1)
    torch.ones(0, 3, dtype=dtype).sum(0), torch.tensor(2.0, dtype=dtype).sum(), x.nansum(), x.aminmax()
    x.float().to(torch.float64).to(dtype).mean(dtype=torch.float32)
    x.count_nonzero(), x.isnan().any(), x.gt(0).all(), torch.histc(x.float(), 8)


def matrices(dtype):
    a, b = draw(3, 17, 40, dtype=dtype), draw(3, 40, 9, dtype=dtype)
    (
        a @ b,
        torch.baddbmm(draw(3, 17, 9, dtype=dtype), a, b, beta=0.5),
        a[0] @ b[0][:, 0],
        torch.einsum("bij,bjk->ki", a, b),
    )
    functional.linear(a, draw(5, 40, dtype=dtype), draw(5, dtype=dtype)), torch.outer(a[0, 0], b[0, 0])
    a.transpose(1, 2).contiguous(), a[:, ::2] + a[:, 1::2][:, :8].sum(1, keepdim=True)
    torch.zeros(1, dtype=dtype).expand(3, 17, 40) * a


def layers(dtype):
    x = draw(2, 8, 12, 12, dtype=dtype).requires_grad_()
    weight = draw(6, 8, 3, 3, dtype=dtype).requires_grad_()
    y = functional.conv2d(x, weight, padding=1, stride=2)
    y = functional.relu(
        functional.batch_norm(y, torch.zeros(6), torch.ones(6), training=True) if dtype is torch.float32 else y
    )
    y = functional.max_pool2d(y, 2) + functional.avg_pool2d(y, 2)
    y = functional.layer_norm(y, (3, 3)) + functional.group_norm(y, 3)
    functional.gelu(functional.silu(y)).softmax(1).log_softmax(1).sum().backward()
    functional.interpolate(x, scale_factor=2, mode="nearest").sum().backward()
    (
        functional.dropout(x, 0.5),
        functional.dropout(x, 0.0),
        functional.pad(x, (1, 1, 1, 1), mode="reflect"),
        functional.softplus(x),
        functional.elu(x),
    )
    (
        functional.conv_transpose2d(x, draw(8, 4, 3, 3, dtype=dtype)),
        functional.conv1d(x[0], draw(4, 12, 3, dtype=dtype)[:, :12]),
    )
    (
        functional.cross_entropy(x.flatten(1), torch.tensor([3, 5])),
        functional.mse_loss(x, x * 0.5),
        functional.binary_cross_entropy_with_logits(x, x.sigmoid()),
    )


def attention(dtype):
    q, k, v = (draw(2, 4, 10, 16, dtype=dtype).requires_grad_() for _ in range(3))
    functional.scaled_dot_product_attention(q, k, v).sum().backward()
    functional.scaled_dot_product_attention(q, k, v, is_causal=True).sum().backward()
    functional.scaled_dot_product_attention(q, k, v, attn_mask=torch.ones(10, 10, dtype=torch.bool).tril())


def recurrent():
    for kind in (torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN):
        layer = kind(5, 7, num_layers=2, bidirectional=True)
        layer(torch.randn(3, 2, 5))[0].sum().backward()


def indexing(dtype):
    x = draw(20, 6, dtype=dtype)
    rows, mask = torch.tensor([3, 1, 3, 0]), x > 0
    x[rows], x[mask], x.index_select(0, rows), x.gather(0, rows.view(-1, 1)), x.take(rows)
    x.clone().index_put_((rows,), x[:4], accumulate=True), x.clone().index_add_(0, rows, x[:4])
    x.clone().scatter_(0, rows.view(-1, 1), 2.0), x.clone().scatter_add_(0, rows.view(-1, 1), x[:4, :1])
    (
        x.clone().masked_fill_(mask, 0.1),
        torch.where(mask, x, 0.1),
        x.clone().fill_(0.1),
        x.clone().masked_scatter_(mask, x),
    )
    (
        x.clone().scatter_reduce_(0, rows.view(-1, 1), x[:4, :1], "amax"),
        functional.embedding(rows, x),
        x.nonzero(),
        x.unique(),
    )
    x == 0.1, x.to(torch.float32).to(dtype) == x, torch.full_like(x, 0.1) == 0.1, torch.full_like(x, 0.1).le(0.1)


def ties(dtype):
    x = torch.tensor([2, 1, 2, 0, 1, 0, 0, 2]).to(dtype)
    x.sort(), x.sort(descending=True), x.topk(3), x.argmax(), x.argmin(), x.median(), x.mode(), x.kthvalue(4)
    x.unique(return_inverse=True, return_counts=True), x.argsort(stable=True), torch.searchsorted(x.sort()[0], x)
    torch.tensor([0.5, 1.5, -0.5, 2.5]).to(dtype).round(), torch.bucketize(x, torch.tensor([0.0, 1.0, 2.0]).to(dtype))


def in_place(dtype):
    x, y = draw(9, 4, dtype=dtype), draw(9, 4, dtype=dtype)
    x.add_(y, alpha=0.1).mul_(y).clamp_(-1, 1).sub_(0.3).abs_().sqrt_(), x.t_(), x.t().add_(y), x.mul_(x)
    torch.add(y, y, out=x.t_()), torch.add(x, y, out=x), torch.sum(x, 0, out=torch.empty(0, dtype=dtype))
    x[1:, ::2] += 1
    x[2].copy_(y[0]), x.zero_(), x.squeeze_(), x.unsqueeze_(0), x.view(-1)[::3].exp_(), x.as_strided_((3, 3), (1, 4), 2)
    pair = [draw(3, dtype=dtype), draw(4, 2, dtype=dtype)]
    torch._foreach_add_(pair, 0.5), torch._foreach_mul(pair, pair), torch._foreach_addcmul_(pair, pair, pair, 0.5)
    torch._foreach_add_([pair[0], pair[0]], 1.0), torch._foreach_norm(pair), torch._foreach_sqrt_(pair)


def optimisers():
    for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop, torch.optim.Adagrad):
        for options in ({"foreach": True}, {"foreach": False}):
            weight = torch.nn.Parameter(torch.randn(5, 3))
            optimiser = kind([weight], lr=0.01, **options)
            for _ in range(2):
                optimiser.zero_grad()
                (weight * torch.arange(3.0)).tanh().sum().backward()
                optimiser.step()
    weight = torch.nn.Parameter(torch.randn(5, 3))
    weight.grad = torch.randn(5, 3)
    torch.optim.AdamW([weight], fused=True).step()
    torch.nn.utils.clip_grad_norm_([weight], 0.5)


def casts(dtype):
    x = torch.tensor([1.0, -2.5, 70000.0, 1e-7, float("inf"), float("nan"), -0.0, 300.0])
    x.to(dtype), x.to(torch.float64).to(dtype), x.to(dtype).to(torch.float32), x[:4].to(torch.int64).to(dtype)
    x.to(dtype).to(torch.uint8), x.to(dtype).to(torch.bool), x.to(dtype).long(), torch.tensor(3).to(dtype).item()
    x.to(dtype).exp(), x.to(dtype).log(), x.to(dtype).rsqrt(), 1 / x.to(dtype), x.to(dtype) - x.to(dtype)


def others():
    z = torch.randn(6, 4, dtype=torch.complex64, requires_grad=True)
    (z @ z.mH).abs().sum().backward()
    torch.fft.ifft(torch.fft.rfft(torch.randn(16)).conj()).real, z.angle(), z.exp(), z * 1j, torch.view_as_real(z)
    i = torch.arange(12).view(3, 4)
    i + 1, i // 5, i % 5, i.sum(), i @ i.T, i.float().mean(), (i > 3) & (i < 7), i.bitwise_xor(3), i / 7, i.sin()
    (
        torch.linalg.solve(torch.eye(4) * 2 + 0.1, torch.ones(4, 2)),
        torch.linalg.qr(torch.randn(4, 4)),
        torch.svd(torch.randn(4, 3)),
    )
    (
        torch.linalg.cholesky(torch.eye(4) * 2 + 0.1),
        torch.linalg.inv(torch.eye(3) * 2 + 0.1),
        torch.det(torch.eye(3) * 2 + 0.1),
    )
    torch.func.vmap(torch.func.grad(lambda x: (x.sin() * x).sum()))(torch.randn(3, 4))
    torch.func.hessian(lambda x: (x**3).sum())(torch.randn(3))
    x = torch.randn(4, requires_grad=True)
    torch.autograd.grad(torch.autograd.grad((x**3).sum(), x, create_graph=True)[0].sum(), x)
    torch.sparse_coo_tensor([[0, 1], [0, 1]], [1.0, 2.0], (2, 2)) @ torch.ones(2, 2)
    torch.quantize_per_tensor(torch.randn(4), 0.1, 0, torch.qint8).dequantize()
    torch.randn(4).to(torch.float8_e4m3fn).to(torch.float32)
    torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged) * 2
    (
        torch.empty(3).uniform_(),
        torch.rand(3).bernoulli(),
        torch.multinomial(torch.ones(4), 2),
        torch.randn(5)[torch.randperm(5)],
    )
    with torch.inference_mode():
        (
            functional.layer_norm(torch.randn(2, 8).bfloat16(), (8,)),
            functional.linear(torch.randn(2, 8), torch.randn(3, 8)),
            torch.randn(4).add_(1),
        )


for floating in FLOATS:
    for part in (reductions, matrices, layers, attention, indexing, ties, in_place, casts):
        part(floating)
for part in (recurrent, optimisers, others):
    part()
