"""One result against its reference: dtype, shape, NaN and infinity, value; the first that is off is told."""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from . import budget
from .reference import FLOATING

SHOWN = 16
"""Values quoted of an output: all of a small one, else the row of the worst element."""

Moved = Callable[[], list[torch.Tensor] | None]
"""Computes, for every output, how far the reference moves with its inputs; None when it can't be told."""


def compare(output: int, got: torch.Tensor, want: torch.Tensor, moved: Moved) -> dict[str, Any] | None:
    """Fields of the divergence between a result and its float64 reference, or None when it is explained."""
    if tuple(got.shape) != tuple(want.shape):
        return {"kind": "shape", "output": output, "observed": list(got.shape), "expected": list(want.shape)}
    if got.dtype in FLOATING and want.dtype == torch.float64:
        return _compare_floats(output, got, want, moved)
    if got.dtype.is_floating_point or got.dtype.is_complex or want.dtype != got.dtype:
        return None
    return _compare_exact(output, got, want)


def _compare_exact(output: int, got: torch.Tensor, want: torch.Tensor) -> dict[str, Any] | None:
    """Integers and booleans must be equal."""
    mine, theirs = got.detach().to("cpu"), want.detach()
    wrong = mine != theirs
    if not bool(wrong.any()):
        return None
    distance = (mine.to(torch.float64) - theirs.to(torch.float64)).abs()
    return _Pair(output, mine, theirs, distance).described("value", wrong)


def _compare_floats(output: int, got: torch.Tensor, want: torch.Tensor, moved: Moved) -> dict[str, Any] | None:
    """Non-finite patterns first, then distances against the budget."""
    mine, dtype = got.detach().to("cpu", torch.float64), got.dtype
    rounded = want.to(dtype).to(torch.float64)
    same = (mine == rounded) | (mine.isnan() & rounded.isnan())
    distance = (mine - want).abs()
    over = ~same & ~(distance <= budget.floor(want, dtype))
    if not bool(over.any()):
        return None
    shifts = moved()
    if shifts is None:
        return None
    allowed = budget.full(want, dtype, shifts[output])
    overflows = want.abs() + allowed > torch.finfo(dtype).max
    pair = _Pair(output, mine, want, distance, dtype)
    odd = over & (mine.isfinite() != rounded.isfinite()) & allowed.isfinite() & ~overflows
    if bool(odd.any()):
        return pair.described("nan-inf", odd)
    far = over & mine.isfinite() & rounded.isfinite() & (distance > allowed)
    return pair.described("value", far, allowed) if bool(far.any()) else None


class _Pair(NamedTuple):
    """An output as it came and as it should be, both on the CPU, and the distance between them."""

    output: int
    mine: torch.Tensor
    want: torch.Tensor
    distance: torch.Tensor
    dtype: torch.dtype | None = None

    def described(self, kind: str, wrong: torch.Tensor, allowed: torch.Tensor | None = None) -> dict[str, Any]:
        """The fields that people read: how many, how far, the worst element, and the values around it."""
        never = torch.full_like(self.distance, -1)
        worst = int(torch.where(wrong, torch.nan_to_num(self.distance, nan=torch.inf), never).flatten().argmax())
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
        index = [int(i) for i in torch.unravel_index(torch.tensor(start), self.mine.shape)] if self.mine.dim() else []
        chosen = slice(start, start + count)
        return index, self.mine.flatten()[chosen].tolist(), self.want.flatten()[chosen].tolist()
