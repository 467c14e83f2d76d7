"""What is wrong, by the words that reporters use for it."""

import re
from collections.abc import Iterable

from bot.model import Claim, DefectKind, Item, ItemClass
from bot.rules.spans import among_labels, in_body, in_title, words

KINDS: tuple[tuple[DefectKind, tuple[str, ...], re.Pattern[str]], ...] = (
    (DefectKind.OVERFLOW, ("module: 64-bit",), words(
        r"(?:int32|32-bit|integer|index|offset|int)[- ]overflow\w*", r"64[- ]?bit (?:index\w*|offsets?)",
        r"int64_t index\w*",
        r"overflow\w*", r"INT_MAX", r"2\*\*3[12]", r"2\^3[12]", r"large tensors?",
        r"32[- ]?bit (?:index\w*|offsets?)",
        r"int32 (?:offset|index)\w*", r"index type", r"more than \S+ elements", r"int32", r"too (?:big|large)")),
    (DefectKind.MEMORY_ERROR, (), words(
        r"illegal memory access", r"out[- ]of[- ]bounds (?:read|write|access)\w*", r"OOB (?:read|write|access)?",
        r"(?:reads?|writes?|stores?|access\w*) (?:\S+ ){0,2}out[- ]of[- ](?:bounds|range)", r"invalid __global__ \w+",
        r"compute-sanitizer", r"uninitiali[sz]ed", r"use[- ]after[- ]free", r"memory corruption",
        r"misaligned address", r"race condition", r"data race")),
    (DefectKind.MISSING_CHECK, ("module: error checking",), words(
        r"(?:missing|add|adds|no|lacks?|without|skips?) (?:\S+ ){0,4}(?:checks?|validation|asserts?|bounds[- ]check\w*)", r"bounds? check\w*",
        r"out[- ]of[- ](?:range|bounds?)", r"should (?:always )?(?:raise|error|throw|fail|reject|be rejected)",
        r"(?:does|do)(?:n't| not) (?:raise|error|throw)",
        r"validat\w+", r"TORCH_CHECK", r"error checking", r"error messages?", r"silently accept\w*",
        r"raises? (?:no|an?) error", r"invalid \w+ (?:index|indices|argument|target|label)s?",
        r"negative (?:\w+ )?(?:index|indices|size|padding|stride|dim)\w*", r"device[- ]side assert\w*",
        r"unchecked", r"malformed", r"inconsistent (?:error|behaviou?r)")),
    (DefectKind.NAN, ("module: NaNs and Infs",), words(r"NaNs?", r"infs?", r"infinit\w+", r"non-?finite", r"-inf")),
    (DefectKind.DETERMINISM, ("module: determinism",), words(
        r"(?:non-?)?determinis\w+", r"atomicAdd", r"reproducib\w+",
        r"different results? (?:every|each|between) runs?", r"alertNotDeterministic")),
    (DefectKind.PRECISION, ("module: numerical-stability", "module: half", "module: bfloat16"), words(
        r"precision", r"accumulat\w+", r"accuracy", r"inaccura\w+",
        r"numerical(?:ly)?(?: (?:stab\w+|instab\w+|unstable|error|difference))?", r"rounding",
        r"opmath", r"FP16", r"BF16", r"half", r"bfloat16", r"catastrophic cancellation", r"underflow\w*",
        r"tolerance")),
    (DefectKind.DTYPE_SHAPE, (), words(
        r"wrong (?:dtype|shape|stride)s?", r"dtype (?:mismatch|promotion)", r"type promotion", r"strides?",
        r"memory format", r"channels_last",
        r"expected (?:scalar type|dtype) \w+", r"(?:output|result|index) (?:shape|dtype)", r"non-?contiguous",
        r"zero-?dim\w*", r"empty (?:tensor|input|batch)s?", r"DoubleTensor")),
    (DefectKind.CRASH, ("module: crash",), words(
        r"crash\w*", r"segfaults?", r"segmentation fault", r"internal assert\w*",
        r"invalid (?:configuration argument|launch)", r"core dump\w*",
        r"floating point exception", r"SIGFPE", r"SIGSEGV", r"hangs?", r"abort\w*", r"launch failure",
        r"RuntimeError: CUDA error", r"CUDA error")),
    (DefectKind.SILENT_WRONG_RESULT, ("module: correctness (silent)",), words(
        r"(?:silent(?:ly)?|wrong|incorrect|garbage|corrupt\w*|erroneous|bogus|invalid) (?:\S+ ){0,3}(?:results?|outputs?|values?|gradients?|grads?|indices|answers?|computation|data)",
        r"silent(?:ly)?", r"wrong(?:ly)?", r"incorrect(?:ly)?", r"mismatch\w*",
        r"differ(?:s|ent)?(?: \S+){0,4} (?:CPU|GPU|CUDA)\w*", r"inconsisten\w+",
        r"not (?:equal|match)\w*", r"bias(?:ed)?", r"correctness", r"garbage", r"bug\w*")),
)  # fmt: skip
FIX = words(
    r"fix(?:e[sd])?", r"bug ?fix", r"correct(?:s|ed)?", r"guards? against", r"avoid(?:s|ed)?", r"prevent(?:s|ed)?"
)


def rule(item: Item) -> Iterable[Claim]:
    """A kind named in the title weighs 2.5, by a label 2, in the body 0.75; the earlier kind is the more telling."""
    for order, (kind, labels, pattern) in enumerate(KINDS):
        early = (len(KINDS) - order) * 0.01
        for why, span, weight in (
            (f"the title speaks of {kind}", in_title(item, pattern), 2.5),
            (f"a label speaks of {kind}", among_labels(item, labels), 2.0),
            (f"the text speaks of {kind}", in_body(item, pattern), 0.75),
        ):
            if span:
                yield Claim(why=why, item_class=ItemClass.CANDIDATE, weight=weight + early, defect_kind=kind, span=span)
    fixed = in_title(item, FIX)
    if fixed:
        yield Claim(why="the title says that it is a fix", item_class=ItemClass.CANDIDATE, weight=1.0, span=fixed)
