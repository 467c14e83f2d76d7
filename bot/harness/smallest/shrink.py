"""Fewer numbers, then smaller shapes, as long as the call still diverges in the same way."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils._pytree import tree_map

from .probe import Probe, Variant

Wrong = Callable[[Variant], bool]


def wrong_of(probe: Probe, kind: str, output: int) -> Wrong:
    """Says of a variant whether it still diverges in this way; nothing does when the seconds are spent."""
    return lambda variant: not probe.spent and probe.shows(variant, kind, output).shows == "wrong"


def plain(variant: Variant, wrong: Wrong) -> Variant:
    """Contiguous tensors of one number each, as far as the call still diverges with them."""
    for place in range(len({id(tensor) for tensor in variant.tensors})):
        for change in (torch.Tensor.contiguous, *_constants()):
            if change is not torch.Tensor.contiguous and _is_constant(variant, place):
                break
            tried = variant.with_tensors(lambda at, tensor, c=change, p=place: c(tensor) if at == p else tensor)
            if not _same(tried, variant) and wrong(tried):
                variant = tried
    return variant


def _is_constant(variant: Variant, place: int) -> bool:
    tensor = list({id(one): one for one in variant.tensors}.values())[place]
    return not tensor.numel() or bool((tensor == tensor.flatten()[0]).all())


def _constants() -> Iterator[Callable[[torch.Tensor], torch.Tensor]]:
    """Ways to make all elements equal; the first that serves is kept."""
    yield torch.ones_like
    yield torch.zeros_like
    yield _commonest


def _commonest(tensor: torch.Tensor) -> torch.Tensor:
    if not tensor.numel() or tensor.numel() > 1 << 20:
        return tensor
    number, _ = Counter(map(repr, tensor.flatten().tolist())).most_common(1)[0]
    chosen = next(one for one in tensor.flatten().tolist() if repr(one) == number)
    return torch.full_like(tensor, chosen)


def _same(one: Variant, other: Variant) -> bool:
    pairs = zip(one.tensors, other.tensors, strict=True)
    return all(a.stride() == b.stride() and torch.equal(a, b) for a, b in pairs)


def sizes_of(variant: Variant) -> list[int]:
    """Sizes of dimensions, largest first, 1 left out."""
    return sorted({size for tensor in variant.tensors for size in tensor.shape if size > 1}, reverse=True)


def resized(variant: Variant, old: int, new: int, *, numbers: bool = False) -> Variant:
    """Every dimension of size `old` becomes `new`: cut, or filled up with its last element.

    `numbers`: whole numbers among the arguments that are `old` become `new` too.
    """

    def one(leaf: Any) -> Any:
        if numbers and isinstance(leaf, int) and not isinstance(leaf, bool) and leaf == old:
            return new
        return leaf

    args, kwargs = tree_map(one, (variant.args, variant.kwargs))
    return Variant(variant.func, args, kwargs).with_tensors(lambda _, tensor: _resized(tensor, old, new))


def _resized(tensor: torch.Tensor, old: int, new: int) -> torch.Tensor:
    for dim in [dim for dim, size in enumerate(tensor.shape) if size == old]:
        kept = torch.arange(new).clamp(max=old - 1)
        tensor = tensor.index_select(dim, kept)
    return tensor


def smallest(variant: Variant, wrong: Wrong) -> Variant:
    """Each size as small as it may be, largest first."""
    for size in sizes_of(variant):
        for numbers in (False, True):
            least = least_size(variant, size, wrong, numbers=numbers)
            if least is not None and least < size:
                variant = resized(variant, size, least, numbers=numbers)
                break
    return variant


def least_size(variant: Variant, size: int, wrong: Wrong, *, numbers: bool = False) -> int | None:
    """The smallest size that still diverges, where it does from there on up to `size`; None where not even one less.

    Halves as long as it diverges, then bisects: a fault that comes and goes with the size gives one of its sizes.
    """
    low, high = 0, size
    while high > 1 and wrong(resized(variant, size, high // 2, numbers=numbers)):
        high //= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if wrong(resized(variant, size, middle, numbers=numbers)):
            high = middle
        else:
            low = middle
    return high if high < size else None
