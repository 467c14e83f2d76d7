"""narrow-accumulator: sums are kept in the dtype of the input, as kernels do that never widen.

Operators with a recipe are computed as such a kernel would, term by term. For any other the result can't grow past
the number where a running sum of ones stops growing.
"""

from collections.abc import Callable
from typing import Any

import torch

from ..call import Call, Compute, outputs_of
from . import additive, products, reductions, sampling, scatters
from .running import STALLS

RECIPES: dict[str, Callable[[Call, Any], Any]] = {
    **reductions.RECIPES,
    **products.RECIPES,
    **scatters.RECIPES,
    **additive.RECIPES,
    **sampling.RECIPES,
}
"""Operator -> function of the call as it was before and of its right outputs; None for an output that stays."""


def narrow_accumulator(call: Call, compute: Compute) -> Any:
    """The call with its sums in the narrow dtype."""
    before = call.remembered()
    result = compute(call)
    outputs = outputs_of(result)
    recipe: Callable[[Call, Any], Any] = RECIPES.get(call.name, saturated)
    try:
        fresh = recipe(before, outputs)
    except (
        RuntimeError,
        IndexError,
        TypeError,
        ValueError,
        AttributeError,
    ):  # an overload that the recipe does not know
        fresh = saturated(before, outputs)
    return call.replaced(result, fresh)


def saturated(_: Call, outputs: list[torch.Tensor | None]) -> list[torch.Tensor | None]:
    """Every result is held where a running sum of ones stalls: 2048, 256, 2^24."""
    return [_held(one) if one is not None and one.dtype in STALLS else None for one in outputs]


def _held(one: torch.Tensor) -> torch.Tensor:
    return torch.clamp(one, -STALLS[one.dtype], STALLS[one.dtype])
