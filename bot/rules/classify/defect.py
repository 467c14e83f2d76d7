"""What is wrong, by the words that reporters use for it."""

import math
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bot.model import Claim, DefectKind, Item, ItemClass, Span
from bot.rules.phrases import Phrases
from bot.rules.signals import Signal, Signals
from bot.rules.spans import claim, reading, span


class Telling(NamedTuple):
    """A group of words and labels, and the kind that they tell of."""

    told: str
    kind: DefectKind
    strength: float
    phrases: Phrases
    labels: frozenset[str] = frozenset()
    log: float = 0.2
    """What a word in code or a log weighs of the strength: scripts are full of words, few messages can't be mistaken."""


GROUPS = (
    Telling("an integer overflow", DefectKind.OVERFLOW, 1.8, Phrases(
        "int32 overflow*", "integer overflow*", "index overflow*", "offset overflow*", "int overflow*", "overflow*", "64 bit", "64bit", "32 bit", "int64_t", "int32", "int_max", "2 31", "2 32",
        "int32_max", "int64_max", "index_t", "uint32*", "32bit", "wraps around", "intmax", "widen*", "into int", "2147483647", "2147483648", "int max",
        "to|use|uses|using int64", "32bit|64bit indexing|index", "wraps|wrapped negative", "overflows|overflowed"),
        frozenset(("module: 64-bit", "module: int overflow"))),
    Telling("very large tensors", DefectKind.OVERFLOW, 1.0, Phrases(
        "very|extremely|really large|big tensor*|input*", "large|huge|big tensor*", "tensor*|input* ..2 too large|big", "2 31 ..1 elements|sized")),
    Telling("large sizes", DefectKind.OVERFLOW, 1.0, Phrases(
        "too large|big", "large input*|sizes|batch|output*", "huge", "large", "more than ..2 elements", "big", "exceeds", "2 30", "2 33", "billion", "many elements|rows", "int count")),
    Telling("memory out of bounds", DefectKind.MEMORY_ERROR, 0.6, Phrases(
        "illegal memory access*", "illegal address", "out of bounds read*|write*|access*", "oob", "reads|writes|read|write|access ..2 out of bounds|range", "invalid __global__",
        "compute sanitizer", "memory corruption", "misaligned", "past the end", "invalid memory", "memory access fault", "invalid __shared__")),
    Telling("a sanitizer's finding", DefectKind.MISSING_CHECK, 0.8, Phrases("illegal memory read*|write*|atomic*", "invalid __global__ read|write|atomic")),
    Telling("uninitialised memory or a race", DefectKind.MEMORY_ERROR, 2.8, Phrases(
        "uninitialized", "uninitialised", "race condition", "data race", "racy", "shared memory race", "missing syncthreads|synchronization|sync|barrier", "__syncthreads", "syncthreads", "without|lacks|lacking synchroniz*|synchronis*", "memory race", "invalid __shared__", "use after free",
        "outside shared memory", "misaligned address|access|read*|write*|load*", "garbage memory", "undefined memory", "corrupt* ..1 stack|heap")),
    Telling("a check that is missing", DefectKind.MISSING_CHECK, 1.5, Phrases(
        "missing|add|adds|no|lack|lacks|without|skip|skips ..4 check*|validation|assert*", "bounds check*", "range check*", "should ..1 raise|error|throw|fail|reject",
        "doesn t raise|error|throw|check|validate|return errors", "doesnt raise|error|throw|check|return", "does not raise|error|throw|check|validate", "not raise|raised", "validat*", "unvalidated",
        "torch_check", "error checking", "silently accept*", "accepts", "no error|indexerror", "unchecked", "not checked|guarded|validated", "malformed", "missing indexerror|error|check|assert*", "check", "checks",
        "checking", "reject*", "illegal argument*", "bounds assert", "lost ..3 check|assert", "not guarded", "check_*", "assert missing"), frozenset(("module: error checking",))),
    Telling("arguments out of range", DefectKind.MISSING_CHECK, 1.2, Phrases(
        "out of range", "out of bounds", "invalid index|indices|target|label|argument*|value*|offset*", "negative index|indices|size|padding|stride|dim*|offset*|value*", "device side assert*",
        "bad indices|index|arguments|target*", "target label*|value*|index", "mismatched", "disagree in shape", "wrong length", "shorter than", "inputs ..3 disagree", "negative ..2 offsets",
        "odd|inconsistent ..1 size*", "num classes", "indexing")),
    Telling("an empty or zero-sized input", DefectKind.MISSING_CHECK, 1.3, Phrases(
        "zero columns|rows|width|size|sized|elements|batch|channels", "zero dim*", "empty grad_output|grad*|input*|tensor*|weight|target*|batch", "reads null", "null", "dereferences null", "null pointer",
        "zero width", "zero length", "size 0", "length 0", "nullptr", "empty"), frozenset(("module: empty tensor",))),
    Telling("an edge case", DefectKind.MISSING_CHECK, 0.5, Phrases("edge case*", "corner case*"), frozenset(("module: edge cases", "topic: fuzzer", "module: sanitizers"))),
    Telling("NaN or infinity", DefectKind.NAN, 3.0, Phrases("nan", "nans", "inf", "infs", "infinity", "infinities", "infinite", "non finite", "nonfinite", "isnan", "isinf"),
            frozenset(("module: nans and infs", "topic: nans and infs"))),
    Telling("results that change from run to run", DefectKind.DETERMINISM, 2.0, Phrases(
        "determinis*", "non determinis*", "nondeterminis*", "irreproducib*", "not reproducible", "bitwise reproducib*", "reproducibility", "different results every|each|between", "alertnotdeterministic", "deterministic path|mode|algorithms", "changes from run to run",
        "every run", "run to run", "between runs"), frozenset(("module: determinism",))),
    Telling("lost precision", DefectKind.PRECISION, 1.6, Phrases(
        "precision", "accumulates", "accumulator*", "accumulation", "accumulated", "accumulate ..1 in", "accurac*", "inaccura*", "numerically unstable|stable", "numerical instability|stability|error*|difference*", "rounding", "opmath", "catastrophic cancellation", "underflow*", "saturat*",
        "tolerance", "less accurate", "acc_type", "imprecise"), frozenset(("module: numerical-stability", "topic: numerical-stability"))),
    Telling("a narrow accumulator", DefectKind.PRECISION, 1.6, Phrases(
        "saturat*", "catastrophic cancellation", "accumulat* ..2 half|fp16|bf16|bfloat16|float16|scalar_t", "accumulat* in ..1 input dtype", "accscalar_t", "opmath*", "acc_type", "counters|counter ..1 float",
        "summed in half|fp16|bf16|bfloat16|float16", "partial sums in", "cancels|cancelling|cancelation|cancellation")),
    Telling("a narrow format", DefectKind.PRECISION, 0.6, Phrases("fp16", "bf16", "half", "bfloat16", "float16", "fp8", "chalf"), frozenset(("module: half", "module: bfloat16"))),
    Telling("a view that is not contiguous", DefectKind.DTYPE_SHAPE, 1.2, Phrases(
        "non contiguous", "noncontiguous", "discontiguous", "not contiguous", "strided ..1 tensor*|input*|output*|view*|out", "sliced|transposed|expanded tensor*|input*|view*", "column slice|view")),
    Telling("strides or memory formats", DefectKind.DTYPE_SHAPE, 1.6, Phrases(
        "non contiguous", "noncontiguous", "discontiguous", "not contiguous", "contiguous", "contiguity", "stride", "strides", "strided", "memory format*", "channels_last", "channels last", "nhwc", "expanded", "diagonal view",
        "storage offset", "storage_offset", "flatten order", "row|column major", "layout of the output|gradient|result", "order of the dimensions|axes", "overlapping"), frozenset()),
    Telling("the label of memory formats", DefectKind.DTYPE_SHAPE, 0.5, Phrases(), frozenset(("topic: memory format", "module: memory format"))),
    Telling("a wrong dtype or shape", DefectKind.DTYPE_SHAPE, 1.8, Phrases(
        "wrong dtype|shape|stride|strides|type|size|dimension*", "wrongly shaped", "dtype mismatch|promotion", "type promotion", "expected scalar type|dtype", "output|result|index|gradient shape|dtype", "doubletensor",
        "dimension out of range", "out dtype", "shape mismatch", "dim error", "not implemented for", "without|no batch dim*", "unbatched", "expected ..2 dims|dimensions", "complex32|complex64|complex128|chalf input*")),
    Telling("dtypes or dimensions", DefectKind.DTYPE_SHAPE, 0.7, Phrases(
        "dim", "dims", "3d", "4 d", "3 d", "out variant|argument", "dtype", "dtypes", "shape", "shapes", "multi dim*", "ndim", "keepdim", "complex", "unsigned", "uint8", "bool", "double", "1d", "2d inputs")),
    Telling("a failed launch", DefectKind.CRASH, 2.2, Phrases(
        "invalid configuration argument*", "invalid launch", "launch configuration|config|failure|failed|bounds", "hang", "hangs", "deadlock*", "grid limit*", "fails to launch", "grid y|z", "65535",
        "too many resources", "shared memory request", "grid dim*", "grid size", "griddim*", "blockdim*", "unspecified launch failure"), log=0.6),
    Telling("a crash", DefectKind.CRASH, 1.0, Phrases(
        "crash*", "segfault*", "segmentation fault*", "internal assert*", "core dump*", "floating point exception", "sigfpe", "sigsegv", "abort*", "cuda error", "throws", "fails with", "invalid device"),
        frozenset(("topic: crash",))),
    Telling("the label of crashes", DefectKind.CRASH, 0.4, Phrases(), frozenset(("module: crash",))),
    Telling("a wrong result", DefectKind.SILENT_WRONG_RESULT, 1.4, Phrases(
        "silently", "silent", "wrong|incorrect|garbage|corrupt*|erroneous|bogus|invalid ..3 result*|output*|value*|gradient*|grad|indices|answer*|computation|data", "wrong", "wrongly", "incorrect", "incorrectly", "bogus", "garbage",
        "drops", "loses", "ignores", "ignore", "ignored", "zero gradient", "returns 0|zero|zeros", "swaps", "omits", "respect", "in place", "inplace", "skips elements"),
        frozenset(("module: correctness (silent)",))),
    Telling("a difference between devices", DefectKind.SILENT_WRONG_RESULT, 0.8, Phrases(
        "mismatch*", "differ", "differs", "different", "inconsisten*", "not equal|match|working", "doesn t match", "disagree*", "calculate error", "cpu vs cuda|gpu", "correctness", "unlike cpu", "cpu is right|fine|correct")),
)  # fmt: skip
FIX = Phrases(
    "fix*", "fixes", "fixed", "bugfix", "correct", "corrects", "corrected", "guards", "guard", "avoid*", "prevent*",
    "handle*", "respect", "don t dispatch", "use int64_t", "propagate*", "return nan", "repair*",
)  # fmt: skip
SAYS_LITTLE = Phrases(
    "bug", "bugs", "fail", "fails", "failed", "failure", "error", "issue", "problem", "broken", "doesn t work", "not work*",
    "unexpected", "exception", "raises", "throws", "degrades",
)  # fmt: skip


PLACES = (
    ("title", "the title speaks of", 1.5),
    ("lead", "the text speaks of", 1.0),
    ("code", "the code or a log speaks of", None),
)
"""Part of an item, how it is called, and what a word in it weighs of its group's strength; None where the group says."""
LABEL = 1.2
"""The same for a label."""


def _signals() -> Iterator[Signal]:
    for group in GROUPS:
        for part, told, share in PLACES:
            weight = round(group.strength * (group.log if share is None else share), 2)
            yield Signal(part, group.phrases, weight, f"{told} {group.told}", kind=group.kind)
        weight = round(group.strength * LABEL, 2)
        yield Signal("labels", group.labels, weight, f"a label speaks of {group.told}", kind=group.kind)
    yield Signal("title", FIX, 1.0, "the title says that it is a fix")
    yield Signal("title", SAYS_LITTLE, 0.5, "the title says that something fails")


SIGNALS = Signals(ItemClass.CANDIDATE, *_signals())


SHAPE = re.compile(r"(?<![\w.])\d[\d_]{0,11}(?: ?[,x*] ?\d[\d_]{0,11}){1,7}(?![\w.])", re.A)
NUMBER = re.compile(r"\d+", re.A)
LONG_NUMBERS = re.compile(
    r"\d(?:\d{7}|[\d_]{2,11} ?[,x*] ?\d\d|[\d_]{1,11} ?[,x*] ?\d{3}|_\d{3}_\d{3}| ?(?:\*\*|\^) ?3\d|(?:\.\d{1,6})?e(?:9|10))", re.A
)  # fmt: skip
"""What any large shape has in it: most texts have none, and cost one search."""
POWER = re.compile(r"\b2 ?(?:\*\*|\^) ?3\d\b|\b\d(?:\.\d{1,6})?e(?:9|10)\b", re.A)
MANY = 1 << 28
"""Elements of a tensor that 32 bits may soon not count, with what its output or its bytes add."""
FEWER = 1 << 25
"""The same where memory was left: then something overflowed, and what did may be a multiple of the elements."""
LONG = 1 << 24
"""The same for one dimension."""
NO_DIMENSION = 1 << 31
"""A number that is no size that anybody can allocate: a bad argument."""
BY_SIZE = frozenset((DefectKind.MEMORY_ERROR, DefectKind.CRASH, DefectKind.SILENT_WRONG_RESULT, DefectKind.OVERFLOW))
"""Kinds that the size of a tensor may explain."""


def rule(item: Item) -> Iterable[Claim]:
    """A kind that the title names weighs its strength and a half, a label a little less, the text its strength."""
    said = SIGNALS.claims(item)
    yield from said
    kinds = {one.defect_kind for one in said}
    if {DefectKind.OVERFLOW, DefectKind.MEMORY_ERROR} <= kinds:
        large = min((one for one in said if one.defect_kind is DefectKind.OVERFLOW), key=lambda one: one.why)
        yield large.model_copy(update={"why": "a large size leads out of memory", "weight": 1.0})
    if not BY_SIZE.isdisjoint(kinds):
        size = _size(item, FEWER if DefectKind.MEMORY_ERROR in kinds else MANY)
        if size:
            yield claim(
                "a tensor is of a size that 32 bits may not count",
                ItemClass.CANDIDATE,
                1.8,
                size,
                kind=DefectKind.OVERFLOW,
            )


def _size(item: Item, many: int) -> Span | None:
    """The first shape, in title, prose or code, of so many elements that an index may not fit."""
    read = reading(item)
    title = read.title.source
    source = f"{title}\n{read.lead.source}\n{read.code.source}"
    if not LONG_NUMBERS.search(source):
        return None
    found = POWER.search(source) or next((shape for shape in SHAPE.finditer(source) if _is_large(shape, many)), None)
    return span("title" if found.end() <= len(title) else "body", found.group()) if found else None


def _is_large(shape: re.Match[str], many: int) -> bool:
    sizes = [int(number) for number in NUMBER.findall(shape.group().replace("_", ""))]
    return max(sizes) < NO_DIMENSION and (math.prod(sizes) >= many or max(sizes) >= LONG)
