"""missing-check: a call that is wrong is computed all the same."""

from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_map

from .call import Call, Compute

_REFUSALS = (RuntimeError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError, AssertionError)


def missing_check(call: Call, compute: Compute) -> Any:
    """What the CPU refuses is answered: indices are brought into range, else zeros of the shape that results have."""
    kept = call.remembered()
    try:
        return compute(call)
    except _REFUSALS:
        pass
    for attempt in (_clamped, _by_shape, _like_first):
        try:
            return attempt(call, kept, compute)
        except _REFUSALS:
            continue
    raise RuntimeError(f"the simulated XPU has no answer for {call.func}")


def _clamped(call: Call, kept: Call, compute: Compute) -> Any:
    """The call again with every index in range."""
    limit = _limit(call)
    integers = [one for one in call.tensors if one.dtype in (torch.int32, torch.int64)]
    if not integers:
        raise ValueError("no index")
    written = {id(one) for one in call.written}
    return compute(
        call.mapped(
            lambda one: (
                one.clamp(0, limit) if one.dtype in (torch.int32, torch.int64) and id(one) not in written else one
            )
        )
    )


def _limit(call: Call) -> int:
    """The last index that the first floating argument has along the dimension of the call."""
    source = next((one for one in call.tensors if one.dtype not in (torch.int32, torch.int64)), call.tensors[0])
    dim = call.get("dim")
    if call.get("num_weights") is not None:
        return int(call.get("num_weights")) - 1
    if isinstance(dim, int) and source.dim():
        size = source.shape[dim]
    elif call.name in ("take", "put", "bincount"):
        size = source.numel()
    elif call.name.startswith("nll_loss") and source.dim():
        size = source.shape[1 if source.dim() > 1 else 0]
    else:
        size = min(source.shape, default=1)
    return max(int(size) - 1, 0)


def _by_shape(call: Call, kept: Call, compute: Compute) -> Any:
    """Zeros of the shape that the meta kernel gives, which looks at no numbers."""
    if call.func._schema.is_mutable:
        raise ValueError("writes to its arguments")

    def empty(leaf: Any) -> Any:
        if isinstance(leaf, torch.device):
            return torch.device("meta")
        return leaf.to("meta") if isinstance(leaf, torch.Tensor) else leaf

    shapes = call.func(*tree_map(empty, call.args), **tree_map(empty, call.kwargs))
    return tree_map(
        lambda leaf: torch.zeros_like(leaf, device="cpu") if isinstance(leaf, torch.Tensor) else leaf, shapes
    )


def _like_first(call: Call, kept: Call, compute: Compute) -> Any:
    """What is written stays as it was; else zeros like the first tensor for each output."""
    written = call.written
    if written:
        return tuple(written) if len(call.func._schema.returns) > 1 else written[0]
    like = next((one for one in tree_flatten((call.args, call.kwargs))[0] if isinstance(one, torch.Tensor)), None)
    if like is None:
        like = torch.zeros(1)
    zeros = [torch.zeros_like(like) for _ in call.func._schema.returns]
    return tuple(zeros) if len(zeros) > 1 else zeros[0]
