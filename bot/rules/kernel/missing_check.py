"""The CUDA counterpart of a host function refuses arguments that this one takes: they go on into the kernel unchecked.

Checks of CUDA's own limits are no fault here, nor are those that both sides make by a function that they share.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from bot.model import Check, Hit, HostPair

OWN = re.compile(
    r"(?i:cudnn|rocm|miopen|cublas|cusparse|cufft|cutlass|nvrtc|magma|status)|HIP|grid(?:Dim| size)|blockDim|[wW]arp|shared memory|getLastError|maxGrid"
    r"|sharedMem|shmem|smem|launch|numeric_limits|MAX_|INT_MAX|internal error|pinned|CUTORCH|uint32|umax|lazy|props"
    r"|bug report|qscheme|ApplyGrid|dim grid|too many dimensions|on CUDA|CUDA version|BLayout|KTile|kTile|TILES",
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
SHARED = re.compile(
    r"\wcheck_bounds|compute_\w*size$|(?<!_)check_(?!and_update_common_device|env|hash)\w+|shape_check|verify_|validate_"
)
"""How functions are called that check for several devices."""
DEVICE = "check_and_update_common_device"
NOISE = re.compile(r"\b(?:at|c10|native|std|cuda|xpu|detail)::|\s|_(?=\b)|\bthis->|_out\b")
WORD = re.compile(r"[a-zA-Z][a-z_0-9]+|\d+")
ALIKE = 0.6
"""Share of words that two messages have in common when they say the same."""
CONTAINED = 0.75
"""Likeness of a condition that is part of another one, which may answer for several."""
SHORTEST = 8
"""Characters below which a condition is part of anything."""
TYPED = re.compile(r"\bk[A-Z]\w*|ScalarType::\w+")
VARIABLE = re.compile(r"(?<![\w.>:])[a-z_]\w*(?![\w(:<])")
DIMENSIONS = re.compile(r"\bn?dim(?:ension)?\(\)\s*==\s*\d")
CONTIGUOUS = re.compile(r"(\w+)\.is_contiguous\(\)$")
FLAG = re.compile(r"!\s*[a-z_]+$")
ONLY = re.compile(r"(?:\w+:? )?only supports? ", re.I)
PRODUCTS = frozenset({"mm", "bmm", "matmul", "addmm", "baddbmm", "addmv", "mv"})
"""Operators that check the sizes of what they are given."""
SHORTEST_OPERATOR = 6
"""Characters of an operator's name that a helper's may begin with by chance."""
NAMED = re.compile(r"[A-Za-z_]\w*")
NUMBER = re.compile(r"\b\d+\b")
DULL = frozenset(
    {"size", "sizes", "dim", "numel", "scalar_type", "defined", "at", "ndimension", "stride", "dtype", "kLong", "kInt"}
)


def rule(pair: HostPair) -> Iterable[Hit]:
    """One hit for each check of the counterpart that is nowhere on the target's side."""
    if any(SHARED.search(name) for name in pair.target.elsewhere - pair.upstream.names):
        return  # it has its checks from a function that stands elsewhere: nobody knows which
    asked = [one for one in pair.upstream.checks if _matters(one, pair)]
    answered = _answered(asked, pair.target.checks)
    met = [asked[number] for number in answered]
    for number, check in enumerate(asked):
        if number not in answered and not any(_stands_for(other, check) for other in met):
            yield _hit(pair, check)


def _answered(asked: Sequence[Check], given: Sequence[Check]) -> set[int]:
    """The numbers of the checks that have one on the target's side; the likest first, and each answers for one."""
    likeness = [(_likeness(one, other), -at, -by) for at, one in enumerate(asked) for by, other in enumerate(given)]
    answered: set[int] = set()
    spent: set[int] = set()
    for score, at, by in sorted((one for one in likeness if one[0]), reverse=True):
        if -at in answered or (-by in spent and score != CONTAINED):
            continue
        answered.add(-at)
        spent.add(-by)
    return answered


def _stands_for(other: Check, check: Check) -> bool:
    """Was the same asked nearer to the door?"""
    return other.steps < check.steps and _likeness(other, check) >= CONTAINED


def _matters(check: Check, pair: HostPair) -> bool:
    """A condition on the arguments; a function that only stands for others is told by what is in it."""
    if OWN.search(check.condition) or OWN.search(check.message) or _excused(check, pair):
        return False
    if check.unit in pair.target.elsewhere and check.steps:
        return False
    if check.name.startswith("AT_"):
        return False  # of what the writer believed, not of arguments
    if check.name.startswith("TORCH_CHECK"):
        return check.condition not in ("false", "0") and bool(check.condition)
    return check.name.startswith("check") and check.name not in pair.target.names and check.name[5:6].isupper()


def _excused(check: Check, pair: HostPair) -> bool:
    """Has the target another answer to a check than the same check?"""
    by_all = pair.target.structured or DEVICE in pair.target.names
    if by_all and KINDS[0][1].search(f"{check.name} {check.condition}"):
        return True
    return (
        _implied(check) or _own_path(check) or _made_so(check, pair.target.names) or _left_to_an_operator(check, pair)
    )


def _made_so(check: Check, names: frozenset[str]) -> bool:
    """`x.is_contiguous()` where the target takes `x.contiguous()`."""
    asked = CONTIGUOUS.match(check.condition)
    return asked is not None and any(f"{asked[1].rstrip('_')}{end}" in names for end in (".contiguous", "_.contiguous"))


def _implied(check: Check) -> bool:
    """A memory format says how many dimensions there are: who asks for both asks twice."""
    return "ChannelsLast" in check.under and DIMENSIONS.search(check.condition) is not None


def _own_path(check: Check) -> bool:
    """What one of the other side's kernels can't do is its own limit: a flag, or a shape that only one path needs."""
    return FLAG.match(check.condition) is not None or (check.under != "" and ONLY.match(check.message) is not None)


def _left_to_an_operator(check: Check, pair: HostPair) -> bool:
    """Is it of sizes, and made by the product that is the whole work? Is it in a helper for which the target calls an
    operator of that name?
    """
    if not pair.target.launches and PRODUCTS & pair.target.names and ".size(" in check.condition:
        return True
    called = (name for name in pair.target.elsewhere if len(name) >= SHORTEST_OPERATOR and "_" in name)
    return check.steps > 0 and any(check.unit.startswith(f"{name}_") for name in called)


def _likeness(one: Check, other: Check) -> float:
    """How much two checks are the same; 0 for not at all."""
    if not one.name.startswith("TORCH_CHECK"):
        return float(one.name == other.name)
    mine, its = _plain(one.condition), _plain(other.condition)
    said, heard = _words(one.message), _words(other.message)
    spoken = 1.0 if said == heard and said else len(said & heard) / (len(said | heard) or 1)
    if mine == its:
        return 4.0 + spoken
    if len(said) > 1 and said == heard:
        return 3.0
    names, others = _names(one.condition), _names(other.condition)
    if names and names == others:
        return 2.0 + spoken
    if spoken >= ALIKE and (2 * len(names & others) >= max(len(names), len(others), 1) or not names or not others):
        return 1.0 + spoken
    return _kinship(one.condition, other.condition)


def _kinship(one: str, other: str) -> float:
    """How much conditions are the same whose messages and names tell nothing."""
    mine, its = _plain(one), _plain(other)
    if min(len(mine), len(its)) > SHORTEST and (mine in its or its in mine):
        return CONTAINED
    if len(mine) > SHORTEST and _form(one) == _form(other):
        return 0.6
    if len(mine) > SHORTEST and NUMBER.sub("0", mine) == NUMBER.sub("0", its):
        return 0.55  # the same question, where this device's kernel has a layout of its own
    return 0.5 if len(_numbers(one)) > 1 and _numbers(one) == _numbers(other) else 0.0


@lru_cache(maxsize=1 << 14)
def _plain(condition: str) -> str:
    return NOISE.sub("", condition).replace("is_cuda", "is_xpu")


@lru_cache(maxsize=1 << 14)
def _form(condition: str) -> str:
    """A condition without what its variables are called, if it is about several; else without which type it asks for."""
    plain = TYPED.sub("K", _plain(condition))
    names = VARIABLE.findall(plain)
    return VARIABLE.sub("v", plain) if len(set(names)) > 1 else plain


@lru_cache(maxsize=1 << 14)
def _words(message: str) -> frozenset[str]:
    return frozenset(WORD.findall(message.lower()))


@lru_cache(maxsize=1 << 14)
def _names(condition: str) -> frozenset[str]:
    """What a condition is about: its names, and the numbers it compares with."""
    return frozenset(one.strip("_") for one in NAMED.findall(condition)) - DULL | frozenset(
        re.findall(r"\b\d+\b", condition)
    )


@lru_cache(maxsize=1 << 14)
def _numbers(condition: str) -> frozenset[str]:
    return frozenset(re.findall(r"\b\d+\b", condition))


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
