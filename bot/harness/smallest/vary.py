"""Which relatives of a call diverge too: other dtypes, layouts, choices of the operator, and other operators."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from torch._ops import OpOverload

from ..calls import KERNEL_ARGUMENTS, dtype_name
from ..exceptions import why_unchecked
from .probe import Probe, Shown, Variant
from .script import along
from .shrink import least_size, resized, sizes_of, wrong_of

DTYPES = (torch.float16, torch.bfloat16, torch.float32)
LARGEST = 8192
"""Up to this size a dtype that is right is tried: half of a sum of ones stalls at 2048, a float32 one at 2^24."""
MOST_ELEMENTS = 1 << 19
SIBLINGS = 24


class Relative(NamedTuple):
    """One relative of a call, and what it showed."""

    what: str
    """`dtype float16`, `interpolation_mode 2`, `channels last`, `operator cumprod`."""
    shown: Shown
    starts_at: int | None = None
    """The smallest size of the largest dimension that is wrong."""


def relatives(variant: Variant, probe: Probe, kind: str, output: int) -> Iterator[Relative]:
    """Every relative, until the seconds are spent."""
    for tell in (_dtypes, _choices, _layouts, _siblings):
        for one in tell(variant, probe, kind, output):
            yield one
            if probe.spent:
                return


def _dtypes(variant: Variant, probe: Probe, kind: str, output: int) -> Iterator[Relative]:
    for dtype in DTYPES:
        cast = variant.with_tensors(lambda _, one, d=dtype: one.to(d) if one.is_floating_point() else one)
        cast = Variant(cast.func, cast.args, {name: _cast(one, dtype) for name, one in cast.kwargs.items()})
        shown = probe.shows(cast, kind, output)
        sizes = sizes_of(cast)
        wrong = wrong_of(probe, kind, output)
        if shown.shows == "right" and sizes and _can_grow(cast, sizes[0]):
            wider = resized(cast, sizes[0], LARGEST)
            again = probe.shows(wider, kind, output)
            if again.shows == "wrong":
                cast, shown, sizes = wider, again, sizes_of(wider)
        starts = least_size(cast, sizes[0], wrong) or sizes[0] if shown.shows == "wrong" and sizes else None
        yield Relative(f"dtype {dtype_name(dtype)}", shown, starts)


def _cast(leaf: Any, dtype: torch.dtype) -> Any:
    return dtype if isinstance(leaf, torch.dtype) and leaf.is_floating_point else leaf


def _can_grow(variant: Variant, size: int) -> bool:
    """Can every dimension of this size be made larger, without inventing numbers and without end?"""
    elements = 0
    for one in variant.tensors:
        dims = [dim for dim, length in enumerate(one.shape) if length == size]
        if not all(along(one, dim) for dim in dims):
            return False
        elements += one.numel() * (LARGEST // size) ** len(dims)
    return size < LARGEST and elements <= MOST_ELEMENTS


def _choices(variant: Variant, probe: Probe, kind: str, output: int) -> Iterator[Relative]:
    """Other values of the arguments that choose between kernels: modes, and yes or no."""
    for place, argument in enumerate(variant.func._schema.arguments):
        if place >= len(variant.args):
            return
        given = variant.args[place]
        if isinstance(given, bool):
            others: list[Any] = [not given]
        elif argument.name in KERNEL_ARGUMENTS | {"padding_mode"} and isinstance(given, int):
            others = [mode for mode in range(3) if mode != given]
        elif isinstance(given, list) and given and all(isinstance(one, bool) for one in given):
            others = [[True] * len(given)] if given != [True] * len(given) else []
        else:
            continue
        for other in others:
            args = (*variant.args[:place], other, *variant.args[place + 1 :])
            told = f"{argument.name} {other}"
            yield Relative(told, probe.shows(Variant(variant.func, args, variant.kwargs), kind, output))


def _layouts(variant: Variant, probe: Probe, kind: str, output: int) -> Iterator[Relative]:
    if any(one.dim() == 4 for one in variant.tensors):
        last = variant.with_tensors(
            lambda _, one: one.contiguous(memory_format=torch.channels_last) if one.dim() == 4 else one
        )
        yield Relative("channels last", probe.shows(last, kind, output))
    if any(one.dim() > 1 for one in variant.tensors):
        turned = variant.with_tensors(lambda _, one: one.mT.contiguous().mT if one.dim() > 1 else one)
        yield Relative("not contiguous", probe.shows(turned, kind, output))


def _siblings(variant: Variant, probe: Probe, _kind: str, _output: int) -> Iterator[Relative]:
    for func in siblings_of(variant.func)[:SIBLINGS]:
        shown = probe.shows(Variant(func, variant.args, variant.kwargs))
        if shown.shows != "absent":
            yield Relative(f"operator {_name(func)}", shown)


def siblings_of(func: OpOverload) -> list[OpOverload]:
    """Operators of aten that take the same arguments and have a word of the name in common, nearest first."""
    words = _words(_name(func))
    found: list[tuple[int, str, OpOverload]] = []
    for schema in torch._C._jit_get_all_schemas():
        name = schema.name.removeprefix("aten::")
        common = len(words & _words(name))
        if schema.name == func._schema.name or not schema.name.startswith("aten::") or not common:
            continue
        if _form(schema) != _form(func._schema) or any(one.is_write for one in schema.arguments):
            continue
        other = getattr(getattr(torch.ops.aten, name), schema.overload_name or "default")
        if why_unchecked(other) is None and torch.Tag.nondeterministic_seeded not in other.tags:
            found.append((-common, name, other))
    return [other for _, _, other in sorted(found, key=lambda one: one[:2])]


def _name(func: OpOverload) -> str:
    return str(func._schema.name).removeprefix("aten::")


def _words(name: str) -> set[str]:
    """`cumsum` and `cumprod` have `cum` in common: words, and their beginnings."""
    return {part for word in name.strip("_").split("_") for part in (word, word[:3]) if len(part) > 2}


def _form(schema: Any) -> list[tuple[str, bool]]:
    return [(str(one.type), one.kwarg_only) for one in schema.arguments]
