"""Sums that are rounded after every step."""

from collections.abc import Sequence

import torch

STALLS = {torch.float16: 2.0**11, torch.bfloat16: 2.0**8, torch.float32: 2.0**24}
"""Where adding 1 changes nothing any more."""


def all_dims(tensor: torch.Tensor, dim: int | Sequence[int] | None) -> list[int]:
    """The dimensions that a `dim` argument names, none is all of them."""
    named = [dim] if isinstance(dim, int) else list(dim or [])
    return sorted({one % tensor.dim() for one in named}) if named else list(range(tensor.dim()))


def flattened(terms: torch.Tensor, dims: Sequence[int]) -> torch.Tensor:
    """The terms with the dimensions that are added up as their first."""
    kept = [place for place in range(terms.dim()) if place not in dims]
    moved = terms.permute(*dims, *kept)
    return moved.reshape(-1, *moved.shape[len(dims) :])


def running_sum(
    terms: torch.Tensor, dims: int | Sequence[int] | None, dtype: torch.dtype, *, keep: bool = False
) -> torch.Tensor:
    """Sum over `dims`, one term after the other, the sum rounded to `dtype` each time."""
    if terms.dim() == 0:
        return terms.to(dtype)
    chosen = all_dims(terms, dims)
    rows = flattened(terms.to(dtype), chosen)
    total = torch.zeros(rows.shape[1:], dtype=dtype)
    for row in rows.contiguous():
        total = total + row
    if keep:
        for place in chosen:
            total = total.unsqueeze(place)
    return total


def running_product(
    factors: torch.Tensor, dims: int | Sequence[int] | None, dtype: torch.dtype, *, keep: bool = False
) -> torch.Tensor:
    """The same for a product."""
    if factors.dim() == 0:
        return factors.to(dtype)
    chosen = all_dims(factors, dims)
    rows = flattened(factors.to(dtype), chosen)
    total = torch.ones(rows.shape[1:], dtype=dtype)
    for row in rows.contiguous():
        total = total * row
    if keep:
        for place in chosen:
            total = total.unsqueeze(place)
    return total


def steps(terms: torch.Tensor, dim: int, dtype: torch.dtype, *, product: bool = False) -> torch.Tensor:
    """All the sums, or products, on the way along `dim`."""
    if terms.dim() == 0:
        return terms.to(dtype)
    rows = list(terms.to(dtype).movedim(dim, 0))
    for place in range(1, len(rows)):
        rows[place] = rows[place - 1] * rows[place] if product else rows[place - 1] + rows[place]
    return torch.stack(rows).movedim(0, dim) if rows else terms.to(dtype)


def multiplied(left: torch.Tensor, right: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """`left @ right` over the last and the last but one dimension, each product and each sum rounded."""
    shape = torch.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    total = torch.zeros(*shape, left.shape[-2], right.shape[-1], dtype=dtype)
    for place in range(left.shape[-1]):
        total = total + left[..., :, place : place + 1] * right[..., place : place + 1, :]
    return total
