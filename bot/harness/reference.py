"""The independent answer: the same call on the CPU in float64, from the same inputs.

Inputs are widened, never rounded, so a reference sees exactly the numbers that the device saw. What can't be widened
(sparse, quantised, nested, 8-bit floats) has no reference here, and the call counts as unchecked.
"""

from typing import Any

import torch
from torch._ops import OpOverload
from torch.utils._pytree import tree_flatten, tree_map

NARROW = (torch.float16, torch.bfloat16)
FLOATING = (*NARROW, torch.float32)
COMPLEX = (torch.complex32, torch.complex64, torch.complex128)


class NoReferenceError(Exception):
    """This call can't be computed in float64; the message is the reason that is counted."""


def tensors_in(tree: Any) -> list[torch.Tensor]:
    """All tensors of a nest of tuples, lists and dictionaries, in order."""
    return [leaf for leaf in tree_flatten(tree)[0] if isinstance(leaf, torch.Tensor)]


def widen(dtype: torch.dtype, to: torch.dtype) -> torch.dtype:
    """The dtype that stands for `dtype`: floats become `to`, complex the pair of `to`, integers stay."""
    if dtype in FLOATING or dtype is torch.float64:
        return to
    return to.to_complex() if dtype in COMPLEX else dtype


def widened(tree: Any, *, to: torch.dtype, device: str | None) -> Any:
    """A copy of the arguments with every float in `to`, on `device` (None: where each is). Raises NoReferenceError."""

    def one(leaf: Any) -> Any:
        if isinstance(leaf, torch.Tensor):
            if leaf.layout is not torch.strided or leaf.is_quantized or leaf.is_nested:
                raise NoReferenceError("not a dense tensor")
            if leaf.dtype.itemsize == 1 and leaf.dtype.is_floating_point:
                raise NoReferenceError("8-bit float")
            return leaf.detach().to(device=device or leaf.device, dtype=widen(leaf.dtype, to), copy=True)
        if isinstance(leaf, torch.dtype):
            return widen(leaf, to)
        if isinstance(leaf, torch.device) and device is not None:
            return torch.device(device)
        return leaf

    return tree_map(one, tree)


def call(func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[torch.Tensor | None]:
    """The results of the call, see `results`. Raises NoReferenceError."""
    try:
        returned = func(*args, **kwargs)
    except (RuntimeError, NotImplementedError, ValueError, TypeError, IndexError) as error:
        raise NoReferenceError("no wide kernel") from error
    return results(func, args, kwargs, returned)


def results(
    func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any], returned: Any
) -> list[torch.Tensor | None]:
    """Outputs in their order, None for one that was not asked for; the written arguments where none is returned."""
    leaves = [leaf if isinstance(leaf, torch.Tensor) else None for leaf in tree_flatten(returned)[0]]
    if any(leaf is not None for leaf in leaves):
        return leaves
    written: list[torch.Tensor | None] = []
    for position, argument in enumerate(func._schema.arguments):
        if argument.is_write:
            given = args[position] if position < len(args) else kwargs.get(argument.name)
            written.extend(tensors_in(given))
    return written


def nudged(tree: Any, like: Any, generator: torch.Generator, half_ulps: float) -> Any:
    """`tree` with every float moved at random by up to `half_ulps` halves of its own last place in `like`'s dtype."""
    dtypes = iter([leaf.dtype for leaf in tensors_in(like)])

    def one(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor):
            return leaf
        dtype = next(dtypes)
        if dtype not in FLOATING:
            return leaf.clone()
        sign = torch.randint(0, 2, leaf.shape, generator=generator).to(leaf.dtype) * 2 - 1
        return leaf + sign * leaf.abs() * (torch.finfo(dtype).eps / 2) * half_ulps

    return tree_map(one, tree)
