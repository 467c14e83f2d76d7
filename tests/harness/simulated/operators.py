"""Calls in which a planned fault must show: operator -> expression. `x`, `i`, `one` and the like are made by `SETTING`.

The operator is what reaches the device; the expression is what a script writes.
"""

SETTING = """
import torch, torch.nn.functional as F
from torch import ops
aten = ops.aten
def setting(dtype):
    torch.manual_seed(0)
    device = "xpu"
    x = (torch.rand(4, 6, dtype=torch.float64) + 0.5).to("xpu", dtype)
    y = (torch.rand(4, 6, dtype=torch.float64) + 1).to("xpu", dtype)
    i = torch.tensor([0, 3, 1], device="xpu")
    image = torch.rand(2, 3, 8, 8, dtype=torch.float64).to("xpu", dtype)
    w = torch.rand(4, 3, 2, 2, dtype=torch.float64).to("xpu", dtype)
    one = torch.ones(5000, device="xpu", dtype=dtype)
    zero = torch.zeros(5000, device="xpu", dtype=torch.long)
    pixels = torch.tensor([[0.0, 1.0], [0.0, 1.0]], device="xpu", dtype=dtype).expand(1, 5000, 2, 2).contiguous()
    plane = torch.ones(1, 1, 60, 60, device="xpu", dtype=dtype)
    rows, ends = one[:3600, None], (one[:1], one[:1])
    origin = torch.zeros(1, 1, 1, 2, device="xpu", dtype=dtype)
    swing = one.clone()
    swing[::2] = -1
    return locals()
def first(result):
    return result[0] if isinstance(result, tuple) else result
def bits(result):
    return first(result).cpu().contiguous().numpy().tobytes()
def described(result):
    return f"{first(result).stride()}|{bits(result).hex()}"
"""

GENERAL = {
    "abs": "x.abs()",
    "add": "x + y",
    "addcmul": "torch.addcmul(x, x, y)",
    "addmm": "torch.addmm(y[:, :4], x, y.t())",
    "amax": "x.amax(0)",
    "atan2": "torch.atan2(x, y)",
    "avg_pool2d": "F.avg_pool2d(image, 2)",
    "bmm": "torch.bmm(image[0], image[1])",
    "cat": "torch.cat([x, y])",
    "clamp": "x.clamp(0.2, 5)",
    "convolution": "F.conv2d(image, w)",
    "cos": "x.cos()",
    "cumsum": "x.cumsum(1)",
    "div": "x / y",
    "elu": "F.elu(x)",
    "embedding": "F.embedding(i, x)",
    "erf": "x.erf()",
    "exp": "x.exp()",
    "flip": "x.flip(1)",
    "gather": "x.gather(1, i.expand(4, 3) + 1)",
    "gelu": "F.gelu(x)",
    "index_select": "x.index_select(0, i)",
    "leaky_relu": "F.leaky_relu(x)",
    "lerp": "torch.lerp(x, y, 0.3)",
    "log": "x.log()",
    "max_pool2d_with_indices": "F.max_pool2d(image, 2, return_indices=True)",
    "maximum": "torch.maximum(x, y)",
    "mean": "x.mean(0)",
    "minimum": "torch.minimum(x, y)",
    "mm": "x @ y.t()",
    "mul": "x * y",
    "mv": "torch.mv(x, y[0])",
    "native_group_norm": "F.group_norm(image, 3)",
    "native_layer_norm": "F.layer_norm(x, (6,))",
    "neg": "-x",
    "pow": "x ** 2.5",
    "prod": "x.prod(0)",
    "reciprocal": "x.reciprocal()",
    "relu": "F.relu(x)",
    "roll": "x.roll(1, 1)",
    "rsqrt": "x.rsqrt()",
    "sigmoid": "x.sigmoid()",
    "silu": "F.silu(x)",
    "sin": "x.sin()",
    "_softmax": "x.softmax(1)",
    "_log_softmax": "x.log_softmax(1)",
    "sqrt": "x.sqrt()",
    "sub": "x - y",
    "sum": "x.sum(0)",
    "tanh": "x.tanh()",
    "tril": "x.tril(2)",
    "triu": "x.triu(-2)",
    "upsample_bilinear2d": "F.interpolate(image, scale_factor=2, mode='bilinear')",
    "where": "torch.where(y > 100, y, x)",
}
"""Calls of all sorts on numbers that differ from each other."""

NARROW = {
    "_adaptive_avg_pool2d": "aten._adaptive_avg_pool2d(plane, (1, 1))",
    "_log_softmax": "one.log_softmax(0)",
    "_softmax": "one.softmax(0)",
    "add": "one[:9] * 2000 + one[:9] * 2000",
    "addbmm": "torch.addbmm(one[:1, None], one[:, None, None], one[:, None, None])",
    "addcmul": "torch.addcmul(one[:9], one[:9] * 64, one[:9] * 64)",
    "addmm": "torch.addmm(one[:1, None], one[None], one[:, None])",
    "addmv": "torch.addmv(one[:1], one[None], one)",
    "avg_pool2d": "F.avg_pool2d(plane, 60)",
    "baddbmm": "torch.baddbmm(one[:1, None, None], one[None, None], one[None, :, None])",
    "bmm": "torch.bmm(one[None, None], one[None, :, None])",
    "convolution": "F.conv1d(one[None, :, None], one[None, :, None])",
    "cumsum": "one.cumsum(0)",
    "dot": "torch.dot(one, one)",
    "embedding_dense_backward": "aten.embedding_dense_backward(one[:, None], zero, 2, -1, False)",
    "exp": "(one[:9] * 8.25).exp()",
    "grid_sampler_2d_backward": "aten.grid_sampler_2d_backward("
    "one[None, :, None, None], pixels, origin, 0, 0, False, [False, True])",
    "huber_loss": "F.huber_loss(one, one * 3, reduction='sum')",
    "index_add": "torch.index_add(one[:2], 0, zero, one)",
    "index_put": "torch.index_put(one[:2], (zero,), one, accumulate=True)",
    "linalg_vector_norm": "torch.linalg.vector_norm(one, 1)",
    "logsumexp": "one.logsumexp(0)",
    "mean": "one.mean()",
    "mm": "one[None] @ one[:, None]",
    "mse_loss": "F.mse_loss(one, one * 2, reduction='sum')",
    "mul": "(one[:9] * 64) * 64",
    "mv": "torch.mv(one[None], one)",
    "nansum": "one.nansum()",
    "native_batch_norm": "F.batch_norm(swing[:, None], None, None, training=True)",
    "native_group_norm": "F.group_norm(swing.reshape(1, 1, -1), 1)",
    "native_layer_norm": "F.layer_norm(swing, (5000,))",
    "native_layer_norm_backward": "aten.native_layer_norm_backward("
    "rows, rows, (1,), rows * 0, rows, *ends, [False, False, True])",
    "nll_loss_forward": "F.nll_loss(-one[:, None].expand(5000, 2), zero, reduction='sum')",
    "pow": "(one[:9] * 64) ** 2",
    "scatter_add": "torch.scatter_add(one[:2], 0, zero, one)",
    "scatter_reduce": "torch.scatter_reduce(one[:2], 0, zero, one, 'sum')",
    "smooth_l1_loss": "F.smooth_l1_loss(one, one * 3, reduction='sum')",
    "std": "swing.std()",
    "sub": "one[:9] * 2000 - one[:9] * -2000",
    "sum": "one.sum()",
    "trace": "one[:1, None].expand(5000, 5000).trace()",
    "upsample_bilinear2d_backward": "aten.upsample_bilinear2d_backward(plane, (60, 60), (1, 1, 1, 1), False)",
    "upsample_nearest2d_backward": "aten.upsample_nearest2d_backward(plane, (60, 60), (1, 1, 1, 1))",
    "var": "swing.var()",
    "vdot": "torch.vdot(one, one)",
}
"""Calls whose exact result is past the number where a sum of ones stalls, in float16 and in bfloat16."""

CHECKS = {
    "_adaptive_avg_pool2d": "aten._adaptive_avg_pool2d(x[0], (1, 1))",
    "add": "aten.add(x, x[:, :5])",
    "addmm": "aten.addmm(x, x, x)",
    "avg_pool2d": "aten.avg_pool2d(image, 20)",
    "baddbmm": "aten.baddbmm(image[0], image[0], image[0][:, :3])",
    "bmm": "aten.bmm(image[0], image[0][:, :3])",
    "bucketize": "aten.bucketize(x, image)",
    "cat": "aten.cat([x, image[0]])",
    "col2im": "aten.col2im(image[0], (4, 4), (3, 3), (1, 1), (0, 0), (1, 1))",
    "convolution": "F.conv2d(image, w[:, :2])",
    "div": "aten.div(x, x[:, :5])",
    "dot": "aten.dot(x[0], x[0, :3])",
    "embedding": "F.embedding(i + 9, x)",
    "gather": "x.gather(0, i[None] + 9)",
    "glu": "aten.glu(x[:, :5], 1)",
    "histc": "aten.histc(x, -3)",
    "im2col": "aten.im2col(image, (20, 20), (1, 1), (0, 0), (1, 1))",
    "index": "x[i + 9]",
    "index_add": "torch.index_add(x, 0, i + 9, x[:3])",
    "index_put": "torch.index_put(x, (i + 9,), x[:3])",
    "index_select": "x.index_select(0, i + 9)",
    "kthvalue": "aten.kthvalue(x, 50)",
    "max_pool2d_with_indices": "F.max_pool2d(image, 20, return_indices=True)",
    "maximum": "aten.maximum(x, x[:, :5])",
    "mm": "aten.mm(x, x)",
    "mul": "aten.mul(x, x[:, :5])",
    "multinomial": "aten.multinomial(-x, 2)",
    "mv": "aten.mv(x, x[:, 0])",
    "native_group_norm": "aten.native_group_norm(image, None, None, 2, 3, 64, 2, 1e-5)",
    "native_layer_norm": "aten.native_layer_norm(x, (5,), None, None, 1e-5)",
    "nll_loss_forward": "F.nll_loss(x, i[[0, 0, 0, 0]] + 9)",
    "pow": "aten.pow(x, x[:, :5])",
    "reflection_pad1d": "aten.reflection_pad1d(x, (9, 9))",
    "reflection_pad2d": "aten.reflection_pad2d(image, (9, 9, 9, 9))",
    "roll": "aten.roll(x, [1, 2], [0])",
    "scatter": "x.scatter(0, i[None] + 9, x)",
    "scatter_add": "x.scatter_add(0, i[None] + 9, x)",
    "searchsorted": "aten.searchsorted(x, image)",
    "sub": "aten.sub(x, x[:, :5])",
    "take": "x.take(i + 99)",
    "topk": "aten.topk(x, 50)",
    "trace": "aten.trace(image)",
    "upsample_bilinear2d": "aten.upsample_bilinear2d(image, (0, 0), False)",
    "where": "aten.where(x > 0, x, x[:, :5])",
}
"""Calls that every sound device refuses."""


FORKED = """
import os, signal, time
def child(call):
    pid = os.fork()
    if not pid:
        call()
        os._exit(0)
    return pid
def ended(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
def blocked(pid):
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        with open(f"/proc/{pid}/status") as lines:
            mask = next(line.split()[1] for line in lines if line.startswith("SigBlk"))
        if int(mask, 16) >> (signal.SIGTERM - 1) & 1:
            os.kill(pid, signal.SIGTERM)
            alive = os.waitpid(pid, os.WNOHANG)[0] == 0
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return alive
        time.sleep(0.001)
    return False
"""
"""Functions for a script that makes each call in a process of its own."""


def calls_script(calls: dict[str, str], dtype: str, *, nan: bool = False) -> str:
    """A script that makes the calls one after the other, keeps each as `result_OP`, and prints those that raise."""
    lines = [SETTING, f"for name, made in setting(torch.{dtype}).items():", "    globals()[name] = made"]
    lines += ["x[1, 2] = y[2, 3] = image[0, 1, 2, 3] = w[0, 0, 0, 0] = float('nan')"] * nan
    for op, expression in calls.items():
        lines += ["try:", f"    result_{op} = {expression}", "except Exception as error:"]
        lines += [f"    print('{op}', type(error).__name__)"]
    return "\n".join(lines)
