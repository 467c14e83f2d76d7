"""The independent answer: the same call on the CPU in float64, from the same inputs.

Inputs are widened, never rounded, so a reference sees exactly the numbers that the device saw. What can't be widened
(sparse, quantised, nested, 8-bit floats) has no reference here, and the call counts as unchecked.
"""

from typing import Any

import torch
from torch._ops import OpOverload
from torch.utils._pytree import tree_flatten, tree_map

NARROW = (torch.float16, torch.bfloat16, torch.complex32)
FLOATING = (*NARROW, torch.float32, torch.complex64)
"""What can be judged: dtypes that float64, or a pair of it, is wider than."""


class NoReferenceError(Exception):
    """This call can't be computed in float64; the message is the reason that is counted."""


def tensors_in(tree: Any) -> list[torch.Tensor]:
    """All tensors of a nest of tuples, lists and dictionaries, in order."""
    return [leaf for leaf in tree_flatten(tree)[0] if isinstance(leaf, torch.Tensor)]


def written(func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[torch.Tensor]:
    """The arguments that the call writes to."""
    found: list[torch.Tensor] = []
    for position, argument in enumerate(func._schema.arguments):
        if argument.is_write:
            found += tensors_in(args[position] if position < len(args) else kwargs.get(argument.name))
    return found


def widen(dtype: torch.dtype, to: torch.dtype) -> torch.dtype:
    """The dtype that stands for `dtype`: floats become `to`, complex the pair of `to`, integers stay."""
    if dtype.is_complex:
        return to.to_complex()
    return to if dtype in FLOATING or dtype is torch.float64 else dtype


def dense(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor itself. Raises NoReferenceError for what has no plain array of numbers."""
    if tensor.layout is not torch.strided or tensor.is_quantized or tensor.is_nested or tensor.is_meta:
        raise NoReferenceError("not a dense tensor")
    return tensor


def widened(tree: Any, *, to: torch.dtype, device: str) -> Any:
    """A copy of the arguments with every float in `to`, on `device`. Raises NoReferenceError.

    One tensor given twice is one tensor in the copy too: a list of parameters may name it twice and be written to.
    """
    copies: dict[int, torch.Tensor] = {}

    def one(leaf: Any) -> Any:
        if isinstance(leaf, torch.Tensor):
            if dense(leaf).dtype.itemsize == 1 and leaf.dtype.is_floating_point:
                raise NoReferenceError("8-bit float")
            if id(leaf) not in copies:
                copies[id(leaf)] = leaf.detach().to(device=device, dtype=widen(leaf.dtype, to), copy=True)
            return copies[id(leaf)]
        if isinstance(leaf, torch.dtype):
            return widen(leaf, to)
        return torch.device(device) if isinstance(leaf, torch.device) else leaf

    return tree_map(one, tree)


def narrowed(source: Any, given: Any, device: str) -> Any:
    """A copy of the arguments `given` on `device`: their own dtypes and strides, with the numbers of `source`.

    `source` is `given` itself, or its wide copy where the call has written to it since: widening is exact.
    """
    copies: dict[int, torch.Tensor] = {}
    numbers = iter(tensors_in(source))

    def one(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor):
            return torch.device(device) if isinstance(leaf, torch.device) else leaf
        number = dense(next(numbers))
        if id(leaf) not in copies:
            copies[id(leaf)] = _laid_out(number.detach(), leaf, device)
        return copies[id(leaf)]

    return tree_map(one, given)


def _laid_out(number: torch.Tensor, like: torch.Tensor, device: str) -> torch.Tensor:
    """`number` in the dtype of `like`, and in its strides where it still has that shape."""
    strides = like.stride() if like.shape == number.shape else number.stride()
    apart = [slice(0, 1) if stride == 0 else slice(None) for stride in strides]
    least = number[tuple(apart)]
    copy = torch.empty_strided(tuple(least.shape), strides, dtype=like.dtype, device=device)
    try:
        return copy.copy_(least).expand(number.shape)
    except RuntimeError:  # elements that lie on each other can't be written one by one
        return number.to(device=device, dtype=like.dtype, copy=True)


def call(func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[torch.Tensor | None]:
    """The results of the call, see `results`. Raises NoReferenceError."""
    given = [argument.name for argument in func._schema.arguments]
    if "half_to_float" in given:  # "from half to float" has no meaning once both are wide
        position = given.index("half_to_float")
        args = tuple(False if index == position else argument for index, argument in enumerate(args))
    try:
        returned = func(*args, **kwargs)
    except (RuntimeError, NotImplementedError, ValueError, TypeError, IndexError, AssertionError) as error:
        raise NoReferenceError("no wide kernel") from error
    return results(func, args, kwargs, returned)


def results(
    func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any], returned: Any
) -> list[torch.Tensor | None]:
    """Outputs in their order, None for one that was not asked for, then what was written to and not returned."""
    leaves = [leaf if isinstance(leaf, torch.Tensor) else None for leaf in tree_flatten(returned)[0]]
    there = {id(leaf) for leaf in leaves}
    return [*leaves, *(tensor for tensor in written(func, args, kwargs) if id(tensor) not in there)]
