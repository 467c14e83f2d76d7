"""Named exceptions: operators that no reference can judge, each with its reason.

The reasons are kinds of operator, read from the schema where it tells (views, random numbers); names stand here only
for what no schema says.
"""

import torch
from torch._ops import OpOverload

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


def why_unchecked(func: OpOverload) -> str | None:
    """The reason why this overload is not compared, or None when it is."""
    name = func._schema.name.partition("::")[2]
    by_name = (
        (UNINITIALISED, "uninitialised"),
        (AMBIGUOUS, "ambiguous factors"),
        (READS_BACK, "reads back"),
        (FACTORIES, "factory"),
    )
    for names, reason in by_name:
        if name in names:
            return reason
    if _is_view(func):
        return "view"
    return None


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
