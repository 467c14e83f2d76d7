"""Operators that are a sum over the elements of one argument: computed in pieces, and the pieces added narrowly.

A backward pass is linear in the gradient that comes in; a loss adds one number for each element.
"""

import math
from collections.abc import Callable
from typing import Any

import torch

from ..call import Call, outputs_of
from .running import running_sum

Outputs = list[Any]
Fresh = list[torch.Tensor | None]
Recipe = Callable[[Call, Outputs], Fresh]
MOST_PIECES = 4096
"""More pieces than this take too long; the result is then held where sums stall."""


def _pieces(name: str, batch: int, *, only: tuple[int, ...] | None = None, scale: int = 1) -> Recipe:
    """A sum over the elements of the argument `name`, those behind its first `batch` dimensions, times `scale`."""

    def recipe(call: Call, outputs: Outputs) -> Fresh:
        whole = call.get(name)
        shape = whole.shape[batch:]
        count = shape.numel()
        if count > MOST_PIECES or not count:
            raise ValueError("too many pieces")
        wide = call.mapped(lambda one: one.float() if one.dtype in (torch.float16, torch.bfloat16) else one)
        totals: Fresh = [
            torch.zeros_like(one) if one is not None and (only is None or place in only) else None
            for place, one in enumerate(outputs)
        ]
        flat = wide.get(name).reshape(*whole.shape[:batch], count)
        for place in range(count):
            piece = torch.zeros_like(flat)
            piece[..., place] = flat[..., place]
            part = _with(wide, name, piece.reshape(whole.shape))
            for output, found in enumerate(outputs_of(part.func(*part.args, **part.kwargs))):
                total = totals[output]
                if total is not None and found is not None and found.is_floating_point():
                    totals[output] = total + (found * scale).to(total.dtype)
        return totals

    return recipe


def _with(call: Call, name: str, value: torch.Tensor) -> Call:
    for position, argument in enumerate(call.func._schema.arguments):
        if argument.name == name and position < len(call.args):
            return Call(call.func, (*call.args[:position], value, *call.args[position + 1 :]), call.kwargs)
    return Call(call.func, call.args, {**call.kwargs, name: value})


def _loss(call: Call, outputs: Outputs) -> Fresh:
    """Mean (1) and sum (2) over the elements; 0 leaves them apart."""
    reduction = call.get("reduction")
    if reduction == 0:
        return [None]
    place = next(at for at, one in enumerate(call.func._schema.arguments) if one.name == "reduction")
    args = (*call.args[:place], 0, *call.args[place + 1 :])
    kwargs = {key: one for key, one in call.kwargs.items() if key != "reduction"}
    if place >= len(call.args):
        args, kwargs = call.args, {**kwargs, "reduction": 0}
    terms: Any = outputs_of(call.func(*args, **kwargs))[0]
    total = running_sum(terms, None, outputs[0].dtype)
    if reduction == 2:
        return [total]
    count = terms.numel()
    if call.name.startswith("nll_loss"):
        count = int((call.get("target") != call.get("ignore_index")).sum())
    return [total / count]


def _windows(call: Call, outputs: Outputs) -> Fresh:
    """The average of each window, as a sum over the places of the input that it sees, divided at the end."""
    seen = call.get("divisor_override") or math.prod(call.get("kernel_size", ()))
    if "kernel_size" not in [argument.name for argument in call.func._schema.arguments]:
        seen = max(call.get("self").shape[2:].numel() // outputs[0].shape[2:].numel(), 1)
    sums = _pieces("self", 2, scale=seen)(call, outputs)
    return [None if one is None else one / seen for one in sums]


_SPATIAL = (
    "_adaptive_avg_pool2d_backward",
    "adaptive_max_pool2d_backward",
    "avg_pool2d_backward",
    "max_pool2d_with_indices_backward",
    "reflection_pad1d_backward",
    "reflection_pad2d_backward",
    "replication_pad1d_backward",
    "replication_pad2d_backward",
    "upsample_bicubic2d_backward",
    "upsample_bilinear2d_backward",
    "upsample_linear1d_backward",
    "upsample_nearest1d_backward",
    "upsample_nearest2d_backward",
    "upsample_nearest3d_backward",
    "upsample_trilinear3d_backward",
    "_upsample_bilinear2d_aa_backward",
    "_upsample_bicubic2d_aa_backward",
)

RECIPES: dict[str, Recipe] = {
    **{name: _pieces("grad_output", 2) for name in _SPATIAL},
    "_adaptive_avg_pool2d": _windows,
    "avg_pool2d": _windows,
    "avg_pool3d": _windows,
    "col2im": _pieces("self", 1),
    "_embedding_bag": _pieces("weight", 0, only=(0,)),
    "convolution_backward": _pieces("grad_output", 0, only=(1, 2)),
    "native_layer_norm_backward": _pieces("grad_out", 0, only=(1, 2)),
    "native_group_norm_backward": _pieces("grad_out", 0, only=(1, 2)),
    "mse_loss": _loss,
    "smooth_l1_loss": _loss,
    "huber_loss": _loss,
    "soft_margin_loss": _loss,
    "binary_cross_entropy": _loss,
    "nll_loss_forward": _loss,
    "nll_loss2d_forward": _loss,
}
