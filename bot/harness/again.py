"""Determinism: the same call on the same device a second time, bit for bit.

Operators that torch documents as nondeterministic (`torch.use_deterministic_algorithms` lists them) are asked only
where the script asks for deterministic ones.
"""

from collections import Counter
from typing import Any

import torch
from torch._ops import OpOverload

from .calls import op_name
from .compare import Pair
from .nudge import distance
from .reference import call

ASKED = 2
"""Calls of an operator in a dtype that are made again."""

NONDETERMINISTIC = (
    "_adaptive_avg_pool2d_backward", "_adaptive_avg_pool3d_backward", "adaptive_max_pool2d_backward",
    "adaptive_max_pool3d_backward", "avg_pool2d_backward", "avg_pool3d_backward", "fractional_max_pool2d_backward",
    "fractional_max_pool3d_backward", "max_pool2d_with_indices_backward", "max_pool3d_with_indices_backward",
    "max_unpool2d", "max_unpool3d", "upsample_linear1d_backward", "upsample_bilinear2d_backward",
    "_upsample_bilinear2d_aa_backward", "upsample_bicubic2d_backward", "_upsample_bicubic2d_aa_backward",
    "upsample_trilinear3d_backward", "upsample_nearest1d_backward", "upsample_nearest2d_backward",
    "upsample_nearest3d_backward", "reflection_pad1d_backward", "reflection_pad2d_backward",
    "reflection_pad3d_backward", "replication_pad1d_backward", "replication_pad2d_backward",
    "replication_pad3d_backward", "nll_loss2d_forward", "nll_loss2d_backward", "_ctc_loss", "_ctc_loss_backward",
    "_embedding_bag", "_embedding_bag_backward", "_embedding_bag_dense_backward",
    "_embedding_bag_per_sample_weights_backward", "embedding_dense_backward", "embedding_backward", "put", "put_",
    "index_put", "index_put_", "_index_put_impl", "_index_put_impl_", "index_add", "index_add_", "index_copy",
    "index_copy_", "index_reduce", "index_reduce_", "scatter", "scatter_", "scatter_add", "scatter_add_",
    "scatter_reduce", "scatter_reduce_", "gather_backward", "index_select_backward", "repeat_interleave", "histc",
    "bincount", "kthvalue", "median", "nanmedian", "grid_sampler_2d_backward", "grid_sampler_3d_backward", "cumsum",
    "cumsum_", "cumprod", "resize_", "resize_as_", "_segment_reduce_backward", "unfold_backward", "segment_reduce",
    "_scaled_dot_product_efficient_attention_backward", "_scaled_dot_product_flash_attention_backward",
    "convolution_backward", "col2im", "native_layer_norm_backward", "native_group_norm_backward", "bernoulli",
)  # fmt: skip


class Repeats:
    """Makes the first calls of each operator and dtype again."""

    def __init__(self) -> None:
        self._asked: Counter[tuple[str, torch.dtype]] = Counter()

    def wanted(self, func: OpOverload, found: list[torch.Tensor | None]) -> bool:
        """Is this one to be made again?"""
        got = next((one for one in found if one is not None), None)
        if got is None or (op_name(func) in NONDETERMINISTIC and not torch.are_deterministic_algorithms_enabled()):
            return False
        self._asked[op_name(func), got.dtype] += 1
        return self._asked[op_name(func), got.dtype] <= ASKED

    def off(
        self, func: OpOverload, given: Any, found: list[torch.Tensor | None], skip: set[int]
    ) -> list[tuple[int, dict[str, Any]]]:
        """Outputs with other bits the second time; `given` is as it was before the call."""
        args, kwargs = given
        odd: list[tuple[int, dict[str, Any]]] = []
        for place, (got, other) in enumerate(zip(found, call(func, args, kwargs), strict=True)):
            if got is None or other is None or place in skip or got.shape != other.shape or got.is_complex():
                continue
            mine, theirs = got.detach().to("cpu"), other.detach().to("cpu")
            wrong = ~((mine == theirs) | (mine.isnan() & theirs.isnan()))
            if bool(wrong.any()):
                dtype = got.dtype if got.dtype.is_floating_point else None
                wide = theirs.to(torch.float64) if dtype else theirs
                pair = Pair(place, mine.to(wide.dtype), wide, distance(mine, theirs), dtype)
                odd.append((place, pair.described("nondeterministic", wrong)))
        return odd
