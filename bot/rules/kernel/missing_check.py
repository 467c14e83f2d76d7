"""The CUDA counterpart of a host function refuses arguments that this one takes: they go on into the kernel unchecked.

Checks of CUDA's own limits are no fault here, nor are those that both sides make by a function that they share.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from bot.model import Check, Hit, HostPair

OWN = re.compile(
    r"(?<!is_)cuda(?!_tensor)|CUDA|(?i:cudnn)|hip\b|HIP|ROCM|rocm|miopen|grid(?:Dim| size)|blockDim|warp|shared memory|cublas|cusparse|nvrtc|magma|"
    r"getLastError|C10_|maxGrid|sharedMem|launch|numeric_limits|MAX_|INT_MAX|internal error|pinned|CUTORCH|uint32|umax",
)
"""Words of the other device's own limits."""
KINDS = (
    ("device", re.compile(r"device\(|get_device|is_cuda|checkAllSameGPU|checkSameGPU|checkBackend|DeviceType")),
    (
        "dtype",
        re.compile(
            r"scalar_type|dtype|ScalarType|is_floating|is_complex|isFloatingType|isIntegralType|kHalf|kLong|kInt|typeMeta"
        ),
    ),
    ("index range", re.compile(r"TORCH_CHECK_INDEX|index|indices|out of (?:range|bounds)|target")),
    (
        "shape",
        re.compile(r"dim|size|numel|shape|stride|ndim|length|checkSize|checkDim|checkNumel|contiguous|pad|kernel"),
    ),
)
NOISE = re.compile(r"\b(?:at|c10|native|std|cuda|xpu|detail)::|\s|_(?=\b)|\bthis->|_out\b")
WORD = re.compile(r"[a-zA-Z][a-z_0-9]+|\d+")
ALIKE = 0.6
"""Share of words that two messages have in common when they say the same."""
NAMED = re.compile(r"[A-Za-z_]\w*")
DULL = frozenset(
    {"size", "sizes", "dim", "numel", "scalar_type", "defined", "at", "ndimension", "stride", "dtype", "kLong", "kInt"}
)


def rule(pair: HostPair) -> Iterable[Hit]:
    """One hit for each check of the counterpart that is nowhere on the target's side."""
    if not pair.target.checks and not pair.upstream.checks:
        return
    for check in pair.upstream.checks:
        if _matters(check, pair) and not any(_same(check, other) for other in pair.target.checks):
            yield _hit(pair, check)


def _matters(check: Check, pair: HostPair) -> bool:
    """A condition on the arguments; a function that only stands for others is told by what is in it."""
    if OWN.search(check.condition) or OWN.search(check.message) or (check.unit in pair.target.names and check.steps):
        return False
    if check.name.startswith("AT_"):
        return False  # of what the writer believed, not of arguments
    if check.name.startswith("TORCH_CHECK"):
        return check.condition not in ("false", "0") and bool(check.condition)
    return check.name.startswith("check") and check.name not in pair.target.names and check.name[5:6].isupper()


def _same(one: Check, other: Check) -> bool:
    if not one.name.startswith(("TORCH_CHECK", "AT_ASSERT")):
        return one.name == other.name
    mine, its = _plain(one.condition), _plain(other.condition)
    if mine == its or (min(len(mine), len(its)) > 8 and (mine in its or its in mine)):
        return True
    if _alike(_words(one.message), _words(other.message)):
        return True
    return _names(one.condition) == _names(other.condition) != frozenset()


@lru_cache(maxsize=1 << 14)
def _plain(condition: str) -> str:
    return NOISE.sub("", condition)


@lru_cache(maxsize=1 << 14)
def _words(message: str) -> frozenset[str]:
    return frozenset(WORD.findall(message.lower()))


@lru_cache(maxsize=1 << 14)
def _names(condition: str) -> frozenset[str]:
    """What a condition is about: its names, and the numbers it compares with."""
    return frozenset(one.rstrip("_") for one in NAMED.findall(condition)) - DULL | frozenset(
        re.findall(r"\b\d+\b", condition)
    )


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return (len(one) > 1 and one == other) or (len(one) > 2 and len(one & other) >= ALIKE * len(one | other))


def _hit(pair: HostPair, check: Check) -> Hit:
    text = f"{check.condition} {check.message} {check.name}"
    kind = next((name for name, pattern in KINDS if pattern.search(text)), "argument")
    said = f'"{check.message}"' if check.message else f"{check.name}({check.condition})"
    return Hit(
        symbol=pair.target.unit,
        line=pair.target.line,
        end_line=pair.target.end_line,
        why=f"no {kind} check as in {pair.upstream.unit} ({check.path}:{check.line}): {said} unless {_short(check.condition)}",
    )


def _short(condition: str) -> str:
    return condition if len(condition) <= 100 else f"{condition[:97]}..."
