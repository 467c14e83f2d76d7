"""autocast on the simulated device: torch casts in C++ for the devices it knows, so here it is done by the same lists.

Source of the lists: aten/src/ATen/autocast_mode.h. Casts happen at the calls that a script or a module makes; calls
inside torch's own Python functions (multi_head_attention_forward) keep the dtype they are given.
"""

from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_map

from .tensor import Tensor

NARROWED = frozenset(
    "_convolution conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d convolution prelu "
    "addmm addmv addr matmul __matmul__ __rmatmul__ einsum mm mv linalg_vecdot linear addbmm baddbmm bmm chain_matmul "
    "multi_dot linalg_multi_dot gru_cell lstm_cell scaled_dot_product_attention multi_head_attention_forward".split()
)
"""Computed in the autocast dtype."""
WIDENED = frozenset(
    "__pow__ __rdiv__ __rpow__ __rtruediv__ acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh "
    "tan pow softplus layer_norm native_layer_norm group_norm frobenius_norm nuclear_norm cosine_similarity "
    "poisson_nll_loss cosine_embedding_loss nll_loss hinge_embedding_loss kl_div l1_loss smooth_l1_loss huber_loss "
    "mse_loss margin_ranking_loss multilabel_margin_loss soft_margin_loss triplet_margin_loss multi_margin_loss "
    "binary_cross_entropy_with_logits dist pdist cdist renorm logsumexp upsample_nearest1d upsample_bilinear2d "
    "softmax log_softmax cross_entropy prod cumprod cumsum sum norm".split()
)
"""Computed in float32."""
PROMOTED = frozenset(
    "addcdiv addcmul atan2 bilinear cross dot vdot grid_sample index_put tensordot scatter_add cat stack".split()
)
"""Computed in the widest dtype of the arguments."""


def called(func: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The call, with its tensors cast when autocast is on for xpu and a device tensor is among them."""
    if not torch.is_autocast_enabled("xpu"):
        return func(*args, **kwargs)
    kind = name.rstrip("_") if not name.startswith("__") else name
    target = torch.get_autocast_dtype("xpu") if kind in NARROWED else torch.float32 if kind in WIDENED else None
    given = [leaf for leaf in tree_flatten((args, kwargs))[0] if isinstance(leaf, Tensor) and _castable(leaf)]
    if kind in PROMOTED and len({leaf.dtype for leaf in given}) > 1:
        target = torch.float32
    if target is None or not given or name.endswith("_") is not name.startswith("__"):
        return func(*args, **kwargs)
    args, kwargs = tree_map(
        lambda leaf: leaf.to(target) if isinstance(leaf, Tensor) and _castable(leaf) else leaf, (args, kwargs)
    )
    with torch.autocast("xpu", enabled=False):
        return func(*args, **kwargs)


def _castable(tensor: torch.Tensor) -> bool:
    return tensor.dtype in (torch.float32, torch.float16, torch.bfloat16)
