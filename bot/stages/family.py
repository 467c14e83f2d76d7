"""family: which operators are one and the same to a reader: a public function, its kernels, its backward.

A thread says `softmax`, the dispatcher runs `_softmax` and `_softmax_backward_data`. Names are cut to a stem; where no
cutting helps, the table says which stems a public function runs as.
"""

import re
from collections.abc import Sequence
from functools import cache

PREFIXES = re.compile(r"^(?:_|native_|cudnn_|miopen_|mkldnn_|mps_|thnn_|slow_|fused_|foreach_)+")
SUFFIXES = re.compile(
    r"(?:_|_out|_copy|_inplace|_backward|_backward_data|_backward_input|_backward_weight|_double_backward|_forward"
    r"|_forward_only|_jvp|_with_indices|_with_logits|_functional|_no_training|_impl|_helper|_stats|_elemt|_dense|[123]d)$"
)
RUNS_AS: dict[str, tuple[str, ...]] = {
    "batch_norm": ("batch_norm_",),
    "bce": ("binary_cross_entropy",),
    "conv": ("convolution", "conv"),
    "conv_transpose": ("convolution",),
    "cross_entropy": ("cross_entropy", "log_softmax", "nll_loss"),
    "dropout": ("dropout", "bernoulli"),
    "grid_sample": ("grid_sampler",),
    "gumbel_softmax": ("softmax",),
    "instance_norm": ("batch_norm", "instance_norm"),
    "interpolate": ("upsample_",),
    "linear": ("linear", "addmm", "mm", "matmul"),
    "matmul": ("matmul", "mm", "bmm", "addmm", "mv", "dot"),
    "moving_avg_obs_fake_quant": ("moving_avg_obs_fq",),
    "multi_head_attention": ("scaled_dot_product_", "bmm", "softmax"),
    "norm": ("norm", "linalg_vector_norm"),
    "scaled_dot_product_attention": ("scaled_dot_product_",),
    "std": ("std", "var", "std_mean", "var_mean"),
    "upsample": ("upsample_",),
    "var": ("std", "var", "std_mean", "var_mean"),
}
"""Stem of a public name -> stems of what the dispatcher sees; one that ends in `_` is the beginning of several."""


def related(op: str, ops: Sequence[str]) -> bool:
    """Is `op`, as the dispatcher names it, one of `ops`, as people name them?"""
    return any(_kin(op, other) or _kin(other, op) for other in ops)


def _kin(ran: str, named: str) -> bool:
    mine, theirs = stem(ran), stem(named)
    begins = RUNS_AS.get(theirs, ())
    return mine == theirs or any(mine == one or (one.endswith("_") and mine.startswith(one)) for one in begins)


@cache
def stem(op: str) -> str:
    """`grid_sampler` for `grid_sampler_2d_backward`, `softmax` for `_softmax_backward_data`."""
    name = PREFIXES.sub("", op)
    while (shorter := SUFFIXES.sub("", name)) not in ("", name):
        name = shorter
    return name
