"""One result against its reference: shape, NaN and infinity, value; the first that is off is told."""

from typing import Any, NamedTuple

import torch

from . import budget
from .apart import PRISTINE
from .nudge import Moves, distance
from .reference import FLOATING, widen

SHOWN = 16
"""Values quoted of an output: all of a small one, else the row of the worst element."""


def compare(output: int, got: torch.Tensor, want: torch.Tensor, moved: Moves) -> dict[str, Any] | None:
    """Fields of the divergence between a result and its wide reference, or None when it is explained.

    Raises NoReferenceError when the reference moves in a way that can't be measured.
    """
    if tuple(got.shape) != tuple(want.shape):
        if 0 in (got.numel(), want.numel()) and output > 0:
            return None  # kernels leave a further output empty when they don't need it
        return {"kind": "shape", "output": output, "observed": list(got.shape), "expected": list(want.shape)}
    if got.dtype in FLOATING and want.dtype == widen(got.dtype, torch.float64):
        return _compare_floats(output, got, want, moved)
    if got.dtype.is_floating_point or got.dtype.is_complex or want.dtype != got.dtype:
        return None
    return _compare_exact(output, got, want, moved)


def _compare_exact(output: int, got: torch.Tensor, want: torch.Tensor, moved: Moves) -> dict[str, Any] | None:
    """Integers and booleans must be equal, unless a tie or a threshold is so near that the inputs' rounding decides."""
    mine, theirs = got.detach().to("cpu"), want.detach()
    wrong = mine != theirs
    if not bool(wrong.any()):
        return None
    wrong &= moved(True)[output] == 0
    return Pair(output, mine, theirs, distance(mine, theirs)).described("value", wrong) if bool(wrong.any()) else None


def _compare_floats(output: int, got: torch.Tensor, want: torch.Tensor, moved: Moves) -> dict[str, Any] | None:
    """Non-finite patterns first, then distances against the budget. Complex numbers have one budget for both parts."""
    dtype = got.dtype.to_real()
    mine = parts(got.detach().to("cpu", want.dtype))
    size = want.abs().unsqueeze(-1).expand(mine.shape) if got.dtype.is_complex else want
    want = parts(want)
    rounded = want.to(dtype).to(torch.float64)
    gap = distance(mine, want)
    over = ~_alike(mine, rounded) & ~(gap <= budget.floor(size, dtype))
    if not bool(over.any()):
        return None
    shift = moved(False)[output]
    allowed = budget.full(size, dtype, shift.unsqueeze(-1).expand(mine.shape) if got.dtype.is_complex else shift)
    overflows = size.isfinite() & (size + allowed > torch.finfo(dtype).max)
    pair = Pair(output, mine, want, gap, dtype)
    odd = over & ~(mine.isfinite() & rounded.isfinite()) & allowed.isfinite() & ~overflows
    if got.dtype.is_complex:  # which part of an infinite complex number is NaN is nobody's promise
        odd &= mine.isfinite().all(-1, keepdim=True) != rounded.isfinite().all(-1, keepdim=True)
    if bool(odd.any()):
        return pair.described("nan-inf", odd)
    far = over & mine.isfinite() & rounded.isfinite() & (gap > allowed)
    return pair.described("value", far, allowed) if bool(far.any()) else None


def parts(numbers: torch.Tensor) -> torch.Tensor:
    """Complex numbers as pairs in a last dimension, real ones as they are."""
    return PRISTINE.view_as_real(numbers.resolve_conj()) if numbers.is_complex() else numbers


def _alike(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Equal, or both not a number."""
    return (one == other) | (one.isnan() & other.isnan())


class Pair(NamedTuple):
    """An output as it came and as it should be, both on the CPU, and the distance between them."""

    output: int
    mine: torch.Tensor
    want: torch.Tensor
    distance: torch.Tensor
    dtype: torch.dtype | None = None

    def described(self, kind: str, wrong: torch.Tensor, allowed: torch.Tensor | None = None) -> dict[str, Any]:
        """The fields that people read: how many, how far, the worst element, and the values around it."""
        far = PRISTINE.nan_to_num(self.distance, nan=torch.inf, posinf=torch.inf)
        worst = int(PRISTINE.where(wrong, far, -1.0).flatten().argmax())
        where, observed, expected = self._around(worst)
        fields: dict[str, Any] = {
            "kind": kind,
            "output": self.output,
            "shape": list(self.mine.shape),
            "wrong": int(wrong.sum()),
            "total": self.mine.numel(),
            "where": where,
            "observed": observed,
            "expected": expected,
            "max_abs_err": float(self.distance.flatten()[worst]),
        }
        if self.dtype is not None:
            exact = self.want.flatten()[worst]
            if float(exact) != 0:  # beside an exact 0 any error is 1e40 units or more, which tells nobody anything
                fields["ulps"] = fields["max_abs_err"] / float(budget.ulp(exact, self.dtype))
            fields["expected_representable"] = bool(budget.representable(exact, self.dtype))
        if allowed is not None:
            fields["budget"] = float(allowed.flatten()[worst])
        return fields

    def _around(self, worst: int) -> tuple[list[int], list[Any], list[Any]]:
        """Index of the first value shown, and up to SHOWN observed and expected values, flattened."""
        start, count = 0, self.mine.numel()
        if count > SHOWN:
            row = self.mine.shape[-1]
            start = worst - worst % row if row <= SHOWN else worst
            count = min(row, SHOWN, count - start)
        chosen = slice(start, start + count)
        return (
            _index(start, self.mine.shape),
            self.mine.flatten()[chosen].tolist(),
            self.want.flatten()[chosen].tolist(),
        )


def _index(flat: int, shape: torch.Size) -> list[int]:
    """The place of a flat position in a shape."""
    index: list[int] = []
    for size in reversed(shape):
        flat, place = divmod(flat, size)
        index.insert(0, place)
    return index
