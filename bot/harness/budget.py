"""How far off a result may be: what a correctly rounded computation explains, and no more.

For a dtype with unit roundoff u (half its epsilon), an element with exact value r may differ by

    ROUNDINGS * u * |r|      a few roundings of the result and of values of its size on the way; at least that many
                             roundings of a subnormal number
  + SENSITIVITY * s          s: how far r moves when the inputs move by half a unit in their last place
  + BESIDE * min(1, R)       R: the largest exact value of the same output. PyTorch's own tests pass an error of 1e-5
                             beside numbers of size 1; beside smaller ones this is less, so that they are judged too

The first term is the dtype's, the second the problem's (its conditioning), the third is for what a kernel adds up and
cancels inside, where no input shows it: it matters in float32 only. A kernel that widens, computes and rounds once
needs 1 of the first; inputs that are themselves rounded explain 1 of the second. The control (the same call on the
same device in a wider dtype) is not part of the budget: a kernel that is wrong in both would excuse itself.
"""

import torch

from .apart import PRISTINE

ROUNDINGS = 8.0
SENSITIVITY = 8.0
BESIDE = 1e-5
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
    """The part of the budget that needs no second computation; `reference` is the whole output, float64."""
    info = torch.finfo(dtype)
    smallest = max(ROUNDINGS / 2 * float(info.smallest_normal) * float(info.eps), FLUSHED)
    size = PRISTINE.nan_to_num(reference.abs(), nan=0.0, posinf=0.0)
    largest = float(size.max()) if size.numel() else 0.0
    return ROUNDINGS * unit_roundoff(dtype) * size + smallest + BESIDE * min(1.0, largest)


def full(reference: torch.Tensor, dtype: torch.dtype, moved: torch.Tensor) -> torch.Tensor:
    """The whole budget, an absolute error for each element; `moved` is the sensitivity s, float64, same shape."""
    return floor(reference, dtype) + SENSITIVITY * PRISTINE.nan_to_num(moved, nan=torch.inf, posinf=torch.inf)


def representable(reference: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Which values of a float64 tensor are numbers of `dtype`."""
    return reference.to(dtype).to(torch.float64) == reference
