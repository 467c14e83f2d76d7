"""How far a reference moves when its inputs do: the part of an error that the problem explains, not the kernel."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch._ops import OpOverload
from torch.utils._pytree import tree_map

from .apart import PRISTINE
from .reference import FLOATING, NARROW, NoReferenceError, call, tensors_in

Moves = Callable[[bool], list[torch.Tensor]]
"""Largest movement of each output, float64; True asks for ties to be broken, as outputs without rounding need it."""

PAIRS = {True: (3, 1.0), False: (8, 16.0)}
"""By `narrow`: pairs of opposite nudges, and their size in half units in the last place. float32 sits at
discontinuities (floor, borders) that one small nudge misses; the same size would excuse true faults of bfloat16."""


def movement(func: OpOverload, wide: Any, original: Any, want: list[torch.Tensor | None]) -> Moves:
    """Computes on demand, once for each kind, how far the outputs of `func` move from `want`."""
    known: dict[bool, list[torch.Tensor]] = {}

    def moved(ties: bool) -> list[torch.Tensor]:
        if ties not in known:
            known[ties] = _moves(func, _variants(wide, original, ties), want)
        return known[ties]

    return moved


def _moves(func: OpOverload, variants: Iterator[Any], want: list[torch.Tensor | None]) -> list[torch.Tensor]:
    moves = [PRISTINE.zeros(() if one is None else one.shape, dtype=torch.float64, device="cpu") for one in want]
    for args, kwargs in variants:
        for position, (shifted, exact) in enumerate(zip(call(func, args, kwargs), want, strict=True)):
            if shifted is None or exact is None:
                continue
            if shifted.shape != exact.shape:
                raise NoReferenceError("shape moves with the inputs")
            moves[position] = PRISTINE.maximum(moves[position], distance(shifted, exact))
    return moves


def distance(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Absolute difference in float64, 0 between equal infinities and between NaNs, NaN between a NaN and a number."""
    kind = torch.complex128 if one.is_complex() else torch.float64
    gap = (one.to(kind) - other.to(kind)).abs()
    return PRISTINE.where((one == other) | (one.isnan() & other.isnan()), 0.0, gap)


def _variants(wide: Any, original: Any, ties: bool) -> Iterator[Any]:
    """Arguments near the given ones: floats moved both ways, and Python numbers rounded to the dtype, which torch
    does in some kernels and not in others.
    """
    dtypes = [tensor.dtype for tensor in tensors_in(original) if tensor.dtype in FLOATING]
    narrowest = max(dtypes, key=lambda dtype: float(torch.finfo(dtype).eps), default=torch.float32)
    pairs, half_ulps = PAIRS[narrowest in NARROW]
    for seed in range(pairs):
        for direction in (half_ulps, -half_ulps):
            yield _nudged(wide, original, PRISTINE.Generator().manual_seed(seed), direction, ties)
    rounded = tree_map(lambda leaf: _rounded(leaf, narrowest), wide)
    if tensors_in(rounded) and repr(_numbers(rounded)) != repr(_numbers(wide)):
        yield rounded


def _nudged(tree: Any, like: Any, generator: torch.Generator, half_ulps: float, ties: bool) -> Any:
    """`tree` with every float moved at random by up to `half_ulps` halves of its own last place in `like`'s dtype."""
    dtypes = iter([leaf.dtype for leaf in tensors_in(like)])
    copies: dict[int, torch.Tensor] = {}

    def one(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor):
            return leaf
        dtype = next(dtypes)
        if id(leaf) not in copies:
            copies[id(leaf)] = leaf.clone()
            if dtype in FLOATING:
                size = leaf.abs().clamp(min=torch.finfo(dtype).smallest_normal if ties else 0.0)
                step = _directions(leaf, generator, ties) * size * (torch.finfo(dtype).eps / 2 * half_ulps)
                copies[id(leaf)] += PRISTINE.where(leaf.isfinite(), step, 0.0)
        return copies[id(leaf)]

    return tree_map(one, tree)


def _directions(leaf: torch.Tensor, generator: torch.Generator, ties: bool) -> torch.Tensor:
    """-1 or 1 for each element; for ties anything between, since two equal numbers must part."""
    shape = (*leaf.shape, 2) if leaf.is_complex() else leaf.shape
    chosen = PRISTINE.rand(shape, generator=generator, dtype=torch.float64, device="cpu") * 2 - 1
    chosen = chosen if ties else PRISTINE.where(chosen < 0, -1.0, 1.0).to(torch.float64)
    return PRISTINE.view_as_complex(chosen) if leaf.is_complex() else chosen


def _rounded(leaf: Any, dtype: torch.dtype) -> Any:
    if isinstance(leaf, torch.Tensor):
        return leaf.clone()
    if isinstance(leaf, float):
        return float(PRISTINE.tensor(leaf, dtype=torch.float64, device="cpu").to(dtype.to_real()))
    return leaf


def _numbers(tree: Any) -> list[float]:
    found: list[float] = []
    tree_map(lambda leaf: found.append(leaf) if isinstance(leaf, float) else None, tree)
    return found
