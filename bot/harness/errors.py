"""Error parity: the same call on the CPU raises and the device does not, or the other way round.

Only checks count: out of range, of another shape, of a value that is not allowed. That a device has no kernel for a
dtype, has no memory left or wants tensors elsewhere is no missing check.
"""

import re
from typing import Any

from torch._ops import OpOverload

from .reference import NoReferenceError, call

NO_CHECK = re.compile(
    r"not (?:yet )?(?:implemented|supported|available|compiled)|unsupported|could not run '|no kernel|"
    r"only supports?|expected scalar type|must be of type|expected .{0,40}\bdtype|should have the same dtype|"
    r"out of memory|can't allocate|failed to allocate|same device|on the (?:cpu|xpu|cuda)\b|device type|"
    r"deterministic implementation|half.{0,20}support|out of resources",
    re.IGNORECASE,
)
"""What device, build or dtype are the cause of."""
CHECKS = (IndexError, RuntimeError, ValueError, TypeError)
LONGEST = 400


def is_check(error: BaseException | None) -> bool:
    """Does this exception say that the arguments are wrong, whatever they are computed on?"""
    if not isinstance(error, CHECKS) or isinstance(error, NotImplementedError | RecursionError):
        return False
    return type(error).__module__ == "builtins" and not NO_CHECK.search(str(error))


def spelled(error: BaseException) -> str:
    """`IndexError: index 7 is out of bounds for dimension 0 with size 3`: the first line, without C++ frames."""
    first = (str(error).strip().splitlines() or [""])[0]
    return f"{type(error).__name__}: {first}"[:LONGEST]


def missing(func: OpOverload, narrow: Any, wide_error: BaseException | None) -> dict[str, Any] | None:
    """Fields of a divergence where the device raised nothing, float64 raised `wide_error`, and so does the CPU."""
    if not is_check(wide_error):
        return None
    args, kwargs = narrow
    try:
        call(func, args, kwargs)
    except NoReferenceError as error:
        cause = error.__cause__
        if is_check(cause) and type(cause) is type(wide_error):
            return {"kind": "error-missing", "output": 0, "raised": spelled(cause)}  # type: ignore[arg-type]
    return None


def needless(func: OpOverload, narrow: Any, raised: BaseException) -> dict[str, Any] | None:
    """Fields of a divergence where the device raised and the CPU, asked for the same in the same dtype, does not."""
    if not is_check(raised):
        return None
    args, kwargs = narrow
    try:
        call(func, args, kwargs)
    except NoReferenceError:
        return None
    return {"kind": "error-extra", "output": 0, "raised": spelled(raised)}
