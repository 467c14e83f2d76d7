"""How far off a result may be: what a correctly rounded computation explains, and no more.

For a dtype with unit roundoff u (half its epsilon), an element with exact value r may differ by

    ROUNDINGS * u * |r|      a few roundings of the result and of values of its size on the way
  + SENSITIVITY * s          s: how far r moves when the inputs move by half a unit in their last place
  + one smallest number      results below the normal numbers of float32 may be flushed to zero

The first term is the dtype's, the second the problem's (its conditioning). A kernel that widens, computes and rounds
once needs 1 of the first; inputs that are themselves rounded explain 1 of the second. The control (the same call on
the same device in a wider dtype) is not part of the budget: a kernel that is wrong in both would excuse itself.
"""

import torch

from .apart import PRISTINE

ROUNDINGS = 8.0
SENSITIVITY = 8.0
FLUSHED = torch.finfo(torch.float32).smallest_normal
"""Kernels of the narrow dtypes compute in float32, and a device may not have its subnormal numbers."""


def unit_roundoff(dtype: torch.dtype) -> float:
    """Half of the distance from 1 to the next number of `dtype`."""
    return float(torch.finfo(dtype).eps) / 2


def ulp(reference: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Unit in the last place of `dtype` at each value of a float64 tensor, never below the smallest subnormal."""
    info = torch.finfo(dtype)
    magnitude = PRISTINE.nan_to_num(reference.abs(), nan=0.0, posinf=info.max).clamp(min=info.smallest_normal)
    fraction, _ = PRISTINE.frexp(magnitude)
    # magnitude / fraction is the power of two above: every step is exact
    return magnitude * (info.eps / 2) / fraction


def floor(reference: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """The part of the budget that needs no second computation: below it no call is looked at again."""
    smallest = max(float(torch.finfo(dtype).smallest_normal * torch.finfo(dtype).eps), FLUSHED)
    size = PRISTINE.nan_to_num(reference.abs(), nan=0.0, posinf=0.0)
    return ROUNDINGS * unit_roundoff(dtype) * size + smallest


def full(reference: torch.Tensor, dtype: torch.dtype, moved: torch.Tensor) -> torch.Tensor:
    """The whole budget, an absolute error for each element; `moved` is the sensitivity s, float64, same shape."""
    return floor(reference, dtype) + SENSITIVITY * PRISTINE.nan_to_num(moved, nan=torch.inf, posinf=torch.inf)


def representable(reference: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Which values of a float64 tensor are numbers of `dtype`."""
    return reference.to(dtype).to(torch.float64) == reference
