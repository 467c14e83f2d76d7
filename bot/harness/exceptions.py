"""Named exceptions: operators that no reference can judge, each with its reason.

The reasons are kinds of operator, read from the schema where it tells (views, random numbers); names stand here only
for what no schema says.
"""

import math
from typing import Any

import torch
from torch._ops import OpOverload

from .reference import tensors_in

REPEATABLE = frozenset({"aten", "prims", "torchvision"})
"""Namespaces whose operators have no effect but their result. An operator that a script defines itself may print,
count or draw: it runs once.
"""

UNINITIALISED = frozenset(
    {
        "empty",
        "empty_like",
        "empty_permuted",
        "empty_quantized",
        "empty_strided",
        "new_empty",
        "new_empty_strided",
        "resize_",
        "resize_as_",
        "set_",
    }
)
"""Hand out memory without writing it: any content is right."""

LAYOUT = frozenset({"as_strided_", "as_strided_copy", "as_strided_scatter", "view_copy"})
"""Read memory by its layout or its bits, which a wider copy doesn't have."""

AMBIGUOUS = frozenset(
    {
        "_linalg_det",
        "_linalg_eigh",
        "_linalg_slogdet",
        "_linalg_svd",
        "geqrf",
        "linalg_eig",
        "linalg_ldl_factor_ex",
        "linalg_lu",
        "linalg_lu_factor_ex",
        "linalg_qr",
    }
)
"""Factors are unique only up to sign, phase or pivot order: two right answers differ."""

READS_BACK = frozenset({"_local_scalar_dense", "is_nonzero", "equal", "item", "is_same_size"})
"""Hand a number to Python: nothing to compare with a tolerance."""

FACTORIES = frozenset({"zeros", "ones", "full", "arange", "linspace", "logspace", "eye", "scalar_tensor"})
"""Make tensors from numbers, without tensor inputs of a narrower dtype to widen."""

CONVERSIONS = frozenset({"_to_copy", "copy_", "copy"})
"""Conversions to integers are undefined for what the integer type can't hold."""

WORKSPACES = {"_ctc_loss": (1,)}
"""Outputs kept for the backward pass, of which only a part that depends on the numbers is ever written."""

EQUAL_TO_SAVED = frozenset({"_cdist_backward", "_pdist_backward"})
"""With p = infinity they look for the coordinate whose distance equals the saved result. The device saved a rounded
one, which no exact distance equals.
"""


def workspace(func: OpOverload, output: int) -> bool:
    """Is this output one that only this operator's backward reads, and only in parts?"""
    return output in WORKSPACES.get(func._schema.name.partition("::")[2], ())


def why_unchecked(func: OpOverload) -> str | None:
    """The reason why this overload is never compared, or None when it is."""
    namespace, _, name = func._schema.name.partition("::")
    if namespace not in REPEATABLE:
        return "operator of the script"
    by_name = (
        (UNINITIALISED, "uninitialised"),
        (LAYOUT, "reads the memory layout"),
        (AMBIGUOUS, "ambiguous factors"),
        (READS_BACK, "reads back"),
        (FACTORIES, "factory"),
    )
    for names, reason in by_name:
        if name in names:
            return reason
    return "view" if _is_view(func) else None


def _is_view(func: OpOverload) -> bool:
    """A result that aliases an argument without writing to it."""
    return any(result.alias_info and not result.alias_info.is_write for result in func._schema.returns)


def is_random(func: OpOverload, args: tuple[object, ...], kwargs: dict[str, object]) -> bool:
    """Whether this call draws random numbers.

    Attention and dropout operators carry the tag also where their probability is 0; those calls are exact.
    """
    if torch.Tag.nondeterministic_seeded not in func.tags:
        return False
    for position, argument in enumerate(func._schema.arguments):
        if argument.name in ("dropout_p", "dropout"):
            given = args[position] if position < len(args) else kwargs.get(argument.name, argument.default_value)
            return given not in (0, 0.0)
    return True


def why_undefined(func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
    """The reason why the result of this call on these numbers is nobody's promise, or None. Looks at the numbers."""
    name = func._schema.name.partition("::")[2]
    if name in CONVERSIONS:
        tensors = tensors_in((args, kwargs))
        target = kwargs.get("dtype") or tensors[0].dtype
        if not (target.is_floating_point or target.is_complex or target is torch.bool) and _exceeds(
            tensors[-1], target
        ):
            return "conversion out of range"
    if name in EQUAL_TO_SAVED and any(isinstance(one, float) and math.isinf(one) for one in args):
        return "compares with its saved result"
    return None


def _exceeds(tensor: torch.Tensor, target: torch.dtype) -> bool:
    """Does a floating tensor hold numbers that this integer dtype doesn't?"""
    if not tensor.is_floating_point() or tensor.numel() == 0:
        return False
    info = torch.iinfo(target)
    low, high = tensor.detach().to("cpu", torch.float64).aminmax()
    return not (float(low) > float(info.min) - 1 and float(high) < float(info.max))
