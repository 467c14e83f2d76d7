"""defect_words: which kinds of defect a word speaks of, to see whether two texts are about the same fault.

The words are few and plain: what they find is a reason for a person to look, never a verdict.
"""

from collections.abc import Iterable
from functools import lru_cache

from bot.model import DefectKind

FEATURE, SLOW = "feature", "performance"
BEGINNINGS: dict[str, tuple[str, ...]] = {
    DefectKind.PRECISION: (
        "precision", "accura", "inaccura", "accumulat", "opmath", "rounding", "underflow", "saturat", "cancellation",
        "numerical", "tolerance", "stall",
    ),
    DefectKind.OVERFLOW: ("overflow", "int32", "int64", "int_max", "intmax", "64bit", "32bit", "wraps", "wraparound"),
    DefectKind.MEMORY_ERROR: (
        "uninitiali", "oob", "sanitizer", "corrupt", "misaligned", "race", "illegal", "null", "nullptr", "bounds",
        "unvalidated",
    ),
    DefectKind.MISSING_CHECK: (
        "check", "validat", "unvalidated", "reject", "accepts", "accepted", "torch_check", "mismatch", "bounds",
        "unchecked", "invalid", "assert",
    ),
    DefectKind.NAN: ("nan", "nans", "inf", "infs", "infinit", "isnan", "isinf", "nonfinite"),
    DefectKind.DETERMINISM: ("determinis", "nondeterminis", "irreproducib", "reproducib"),
    DefectKind.DTYPE_SHAPE: (
        "dtype", "stride", "shape", "contiguous", "noncontiguous", "channels_last", "nhwc", "layout", "flatten",
    ),
    DefectKind.CRASH: ("crash", "segfault", "segmentation", "abort", "hang", "deadlock", "fault", "sigsegv"),
    DefectKind.SILENT_WRONG_RESULT: ("wrong", "incorrect", "silent", "garbage", "bogus", "inconsisten", "differ"),
    FEATURE: ("implement", "notimplemented", "support", "unsupported", "feature", "enable", "missing_op"),
    SLOW: ("slow", "performance", "speed", "faster", "optimi", "throughput", "latency", "regress"),
}  # fmt: skip
"""Kind -> how its words begin. A short beginning is a whole word."""
WHOLE = 4
"""Letters of a beginning that is taken for a whole word: `nan` is not in `nanosecond`."""
AKIN: dict[DefectKind, frozenset[str]] = {
    DefectKind.PRECISION: frozenset({DefectKind.SILENT_WRONG_RESULT}),
    DefectKind.SILENT_WRONG_RESULT: frozenset({DefectKind.PRECISION, DefectKind.OVERFLOW}),
    DefectKind.OVERFLOW: frozenset({DefectKind.MEMORY_ERROR, DefectKind.SILENT_WRONG_RESULT}),
    DefectKind.MEMORY_ERROR: frozenset({DefectKind.OVERFLOW, DefectKind.CRASH, DefectKind.MISSING_CHECK}),
    DefectKind.MISSING_CHECK: frozenset({DefectKind.MEMORY_ERROR, DefectKind.CRASH}),
    DefectKind.CRASH: frozenset({DefectKind.MEMORY_ERROR, DefectKind.OVERFLOW, DefectKind.MISSING_CHECK}),
}
"""Kinds that one fault may be told as."""
CALLED: dict[str, str] = {
    DefectKind.PRECISION: "lost precision",
    DefectKind.OVERFLOW: "an overflow",
    DefectKind.MEMORY_ERROR: "a memory fault",
    DefectKind.MISSING_CHECK: "a missing check",
    DefectKind.NAN: "NaN or infinity",
    DefectKind.DETERMINISM: "results that change",
    DefectKind.DTYPE_SHAPE: "a wrong dtype, shape or layout",
    DefectKind.CRASH: "a crash",
    DefectKind.SILENT_WRONG_RESULT: "a wrong result",
    DefectKind.NONE: "no defect",
    FEATURE: "a feature that is missing",
    SLOW: "speed",
}
"""As people say it."""


@lru_cache(maxsize=1 << 15)
def kinds_of(word: str) -> frozenset[str]:
    """The kinds that a word speaks of."""
    low = word.lower()
    return frozenset(
        kind
        for kind, beginnings in BEGINNINGS.items()
        if any(low == one if len(one) <= WHOLE else low.startswith(one) for one in beginnings)
    )


def telling(kinds: frozenset[str]) -> frozenset[str]:
    """The kinds without that of any wrong result, where another says in what way it is wrong."""
    vague = frozenset((DefectKind.SILENT_WRONG_RESULT.value,))
    return kinds - vague if kinds - vague - {FEATURE, SLOW} else kinds


def told(kinds: Iterable[str]) -> str:
    """`lost precision`, `a crash and a missing check`: kinds as people say them, sorted."""
    named = sorted(CALLED[kind] for kind in kinds)
    return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
