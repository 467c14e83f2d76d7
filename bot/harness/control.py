"""The control: the same call on the same device with wider inputs.

If it agrees with the reference, the device, the kernel and the harness are sound and the narrow dtype alone is what
goes wrong: that tells a lost accumulator from a wrong kernel.
"""

from typing import Any

import torch
from torch._ops import OpOverload

from . import budget
from .calls import dtype_name
from .compare import parts
from .reference import NARROW, NoReferenceError, call, widened

WIDER = {**dict.fromkeys(NARROW, torch.float32), torch.float32: torch.float64, torch.complex64: torch.float64}


def control_of(
    func: OpOverload, wide: Any, got: torch.Tensor, want: torch.Tensor, fields: dict[str, Any], *, device: str
) -> dict[str, Any] | None:
    """`dtype`, `observed` (what the divergence shows), `exact`, `agrees`; None when the device can't compute it.

    `exact`: the whole output equals the reference `want` once both are rounded to the narrow dtype. `agrees`: it is
    within that dtype's budget.
    """
    dtype = WIDER.get(got.dtype)
    if dtype is None or fields["kind"] not in ("value", "nan-inf"):
        return None
    try:
        args, kwargs = widened(wide, to=dtype, device=device)
        result = call(func, args, kwargs)[fields["output"]]
    except NoReferenceError:
        return None
    if result is None:
        return None
    numbers = parts(result.detach().to("cpu"))
    if list(numbers.shape) != fields["shape"]:
        return None
    mine, exact, narrow = numbers.to(torch.float64), parts(want.detach().to("cpu")), got.dtype.to_real()
    exact = exact.to(torch.float64)
    missing = mine.isnan() & exact.isnan()
    same = (mine.to(narrow) == exact.to(narrow)) | missing
    close = same | ((mine - exact).abs() <= budget.floor(exact, narrow))
    return {
        "dtype": dtype_name(numbers.dtype),
        "observed": _shown(mine, fields),
        "exact": bool(same.all()),
        "agrees": bool(close.all()),
    }


def _shown(result: torch.Tensor, fields: dict[str, Any]) -> list[float]:
    """The values at the place that the divergence shows."""
    start = 0
    for index, size in zip(fields["where"], result.shape, strict=True):
        start = start * size + index
    return [float(one) for one in result.flatten()[start : start + len(fields["observed"])]]
