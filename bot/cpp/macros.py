"""Macros: those that stand for nothing the grammar knows are blanked, those that dispatch say which types come."""

import re
from enum import StrEnum

WORDS = (
    "C10_ALWAYS_INLINE", "C10_DEVICE", "C10_HOST", "C10_HOST_DEVICE", "CUTLASS_DEVICE", "CUTLASS_HOST_DEVICE",
    "CUTLASS_PRAGMA_NO_UNROLL", "CUTLASS_PRAGMA_UNROLL", "DISABLE_SYCL_DEPRECATED_WARNING_BEGIN",
    "DISABLE_SYCL_DEPRECATED_WARNING_END", "GPU_LAMBDA", "RESTRICT", "SYCL_EXTERNAL", "TORCH_API",
    "TORCH_CUDA_CPP_API", "TORCH_CUDA_CU_API", "TORCH_XPU_API", "__device__", "__forceinline__", "__global__",
    "__host__", "__restrict__", "__shared__", "__ubsan_ignore_float_divide_by_zero__",
    "__ubsan_ignore_signed_int_overflow__", "__ubsan_ignore_undefined__",
)  # fmt: skip
CALLS = (
    "C10_LAUNCH_BOUNDS_0", "C10_LAUNCH_BOUNDS_1", "C10_LAUNCH_BOUNDS_2", "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY",
    "SYCL_REQD_SUB_GROUP_SIZE", "__launch_bounds__", "alignas",
)  # fmt: skip
QUIET = re.compile(
    rb"\b(?:"
    + "|".join(WORDS).encode()
    + rb")\b|\b(?:"
    + "|".join(CALLS).encode()
    + rb")\s*\((?:[^()\n]|\([^()\n]*\))*\)"
)
"""Attributes in the clothes of macros: a compiler needs them, a reader of scopes does not."""
LAUNCH = ((b"<<<", b"  ("), (b">>>(", b")  ("), (b">>> (", b")   ("))
"""CUDA's launch brackets, as a call of a call."""


def quieted(content: bytes) -> bytes:
    """The same text, as long and with the same lines, without what the grammar stumbles over for nothing."""
    text = QUIET.sub(lambda match: re.sub(rb"[^\n]", b" ", match[0]), content)
    if b"<<<" in text:
        for before, after in LAUNCH:
            text = text.replace(before, after)
    return text


class Dispatch(StrEnum):
    """Which element types a kernel is made for."""

    NARROW = "narrow"
    """Half precision is among them."""
    WIDE = "wide"
    """float and double, and complex of them."""
    INTEGER = "integer"
    """Whole numbers and bool only."""


HALVES = re.compile(r"\bk?(?:Half|BFloat16)\b|\bFloat8\w+|REDUCED|_V2$|HALF|FP8|Float8")
WIDE_SETS = ("FLOATING", "COMPLEX", "ALL_TYPES", "ALL", "FLOAT", "DOUBLE")
INTEGER_SETS = ("INTEGRAL", "INDEX_TYPES", "INT", "BIT", "BYTE")


def dispatch_of(macro: str, arguments: str) -> Dispatch | None:
    """What `AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, ...)` lets through; None for what is no such macro."""
    if "DISPATCH" not in macro or (not macro.isupper() and not re.fullmatch(r"[A-Z0-9_]+", macro)):
        return None
    listed = arguments.partition("[&]")[0]
    if HALVES.search(listed) or HALVES.search(macro):
        return Dispatch.NARROW
    if any(word in macro for word in INTEGER_SETS) and not any(word in macro for word in ("FLOATING", "ALL")):
        return Dispatch.INTEGER
    return Dispatch.WIDE if any(word in macro for word in WIDE_SETS) else Dispatch.NARROW


INTEGRAL = frozenset({"Byte", "Char", "Short", "Int", "Long"})
FLOATING = frozenset({"Float", "Double"})
COMPLEX = frozenset({"ComplexFloat", "ComplexDouble"})
SETS = (
    ("FLOATING_AND_COMPLEX", FLOATING | COMPLEX),
    ("ALL_TYPES_AND_COMPLEX", INTEGRAL | FLOATING | COMPLEX),
    ("ALL_TYPES", INTEGRAL | FLOATING),
    ("FLOATING_TYPES", FLOATING),
    ("INTEGRAL_TYPES", INTEGRAL),
    ("COMPLEX_TYPES", COMPLEX),
)
"""Words of a dispatch macro and the types that it brings; the first that fits counts."""
TYPE = re.compile(
    r"\bk?(Half|BFloat16|Bool|ComplexHalf|Float|Double|Byte|Char|Short|Int|Long|ComplexFloat|ComplexDouble)\b"
)


def dtypes_of(macro: str, arguments: str) -> frozenset[str]:
    """The element types that a dispatch macro lets through; empty for what is no such macro, or one over indices."""
    if "DISPATCH" not in macro or not re.fullmatch(r"[A-Z0-9_]+", macro) or "INDEX" in macro:
        return frozenset()
    said = f"{macro} {' '.join(re.findall(r'AT_[A-Z_]+', arguments))}"
    found: frozenset[str] = next((types for word, types in SETS if word in said), frozenset())
    found |= {"Half"} if macro.endswith("AND_HALF") else set()
    return found | frozenset(TYPE.findall(arguments))
