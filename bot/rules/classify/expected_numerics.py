"""The order of ties, random streams, undefined casts and rounding within a format differ by design."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.phrases import Phrases
from bot.rules.spans import claim, in_code, in_lead, in_text, in_title

DIFFERS = Phrases(
    "inconsistan*", "inconsisten*", "differ", "differs", "different", "differently", "mismatch*", "not match", "don t match", "disagree*", "discrepanc*", "same results",
    "not the same", "doesn t match", "unequal", "varies", "not equal", "another order", "difference*", "deviates", "deviate", "deviation from|of|between", "diverge*",
)  # fmt: skip
CHOOSES = Phrases(
    "argsort", "sort", "topk", "mode", "median", "unique", "kthvalue", "argmax", "argmin", "nanmedian", "msort",
    "unique_consecutive", "cummax", "cummin", "searchsorted", "nonzero", "argwhere",
)  # fmt: skip
WRONG = Phrases("wrong*", "incorrect*", "garbage", "out of bounds", "uninitiali*", "corrupt*", "illegal", "lots of nan")
TIES = Phrases("tie", "ties", "tied", "tie order", "equal values|elements", "duplicate values|indices|elements", "order of equal|duplicate", "unspecified order", "unstable sort*", "sorted false", "not guaranteed", "stable false",
               "order differs", "another order", "equally frequent|large|often|likely", "repeated|identical|equal|same|duplicate|duplicated ..1 value|values|elements|maximum|maxima|entries", "equivalent elements", "may be right", "either is|may")  # fmt: skip
RANDOM = Phrases(
    "bernoulli*", "randn*", "rand", "random*", "rng", "seed*", "multinomial", "dropout*", "uniform_", "normal_",
    "exponential_", "poisson", "rrelu", "random draws", "manual_seed",
)  # fmt: skip
CASTS = Phrases("cast", "casts", "casting", "cast ..3 nan|inf", "undefined behavior|behaviour", "undefined conversion*", "out of range cast*|float", "nan to int*", "dtype torch int8|int16|int32|uint8|int64", "conversion*", "int32 cast",
                "to int|int32|int64|int8|uint8")  # fmt: skip
ROUNDING = Phrases("less accurate", "more accurate", "times less", "drift*", "exactly matches", "accumulates in", "float64 reference", "numerical difference*|error*|discrepanc*", "numerically", "promotes", "slightly", "small difference*",
                   "rounding", "ulp*", "1e 4|5|6|7|8", "tolerance*", "larger error", "max diff", "allclose", "expected numerics", "chaotic", "precision loss", "loses precision", "low precision", "accuracy", "precision",
                   "less precise", "error about")  # fmt: skip
NOT_FINITE = Phrases(
    "nan", "nans", "inf", "infs", "infinity", "infinite", "zero probability", "without replacement", "wrong*", "crash*"
)
NAN_CAST = Phrases(
    "cast*|casting|conver* ..4 nan|inf|infinity", "nan|inf ..3 cast|casts|casting|to int*|int32|int64|int8"
)
BY_ROUNDING = Phrases(
    "numerical|numeric|precision|accuracy|numerics ..1 difference*|discrepanc*|inconsisten*|mismatch*|deviation*|gap",
    "minor|small|slight|tiny ..2 discrepanc*|deviation*", "minor|small|slight|tiny numerical|numeric|precision|rounding", "slightly different", "losing|loses|lost precision", "less|more accurate|precise than",
    "times|x less accurate|precise",
)  # fmt: skip
SCANS = Phrases("cumsum", "cumprod", "logcumsumexp", "cumulative", "scan", "prefix sum")
SMOOTH = Phrases(
    "sum", "mean", "prod", "matmul", "conv*", "linear", "complex64", "exp", "sin", "cos", "tan", "norm", "log2",
    "pow", "model", "convergence",
)  # fmt: skip

DAMAGE = Phrases(
    "out of bounds|range", "illegal", "uninitiali*", "garbage", "corrupt*", "crash*", "segfault*", "hang*", "overflow*",
    "duplicates for", "nan", "nans", "zero probability", "without replacement", "negative ind*", "2 31", "2 32",
)  # fmt: skip
"""Words of a fault that no freedom of the operator explains."""
ORDER = Phrases("order*", "which one", "index of the|a", "tie ..1 breaking", "unstable", "not stable")
SAME_STREAM = Phrases("same|fixed|identical ..2 seed|seeds|manual_seed|rng|generator|stream", "manual_seed", "seeded")
WITHIN = Phrases("within ..2 rounding|tolerance|tolerances|ulp|ulps|eps|epsilon")
COMPARED = Phrases("vs|versus|than|from|between|unlike|compared ..2 cpu|cuda|gpu|numpy", "on cpu")


def rule(item: Item) -> Iterable[Claim]:
    """Each needs two words: what differs, and why it may."""
    yield from _certain(item)
    differs = in_text(item, DIFFERS)
    if not (differs or in_text(item, ROUNDING) or in_text(item, TIES)):
        return
    free = 1.0 if in_text(item, WRONG) or in_text(item, DAMAGE) else 3.5
    pairs = (
        ("the results of two devices are compared", differs, differs, 0.5),
        ("an operator that chooses among equals gives another choice", in_title(item, CHOOSES), differs, free),
        ("the order of equal values is free", in_text(item, TIES), in_text(item, CHOOSES) or differs, 2.5),
        (
            "random numbers differ between devices",
            None if in_title(item, NOT_FINITE) else in_title(item, RANDOM),
            differs,
            free + 1.0 if free > 1.0 else free,
        ),
        ("the conversion that is spoken of is undefined", in_text(item, CASTS), differs, 2.5),
        ("a cast of NaN is undefined", in_title(item, NAN_CAST), differs, 3.5),
        (
            "a difference of rounding is what the title tells",
            in_title(item, BY_ROUNDING),
            in_title(item, BY_ROUNDING),
            3.5,
        ),
        ("a scan rounds at every step", in_text(item, ROUNDING), in_text(item, SCANS), 2.5),
        ("a scan in the title rounds", in_title(item, SCANS), in_text(item, ROUNDING), 2.0),
        ("rounding is amplified by what follows", in_text(item, ROUNDING) or differs, in_text(item, SMOOTH), 1.0),
        ("rounding is spoken of", in_lead(item, ROUNDING), in_lead(item, ROUNDING), 0.5),
        ("the script compares within a tolerance", in_code(item, ROUNDING), differs, 0.5),
    )
    for why, span, needed, weight in pairs:
        if span and needed:
            yield claim(why, ItemClass.OTHER, weight, span)


def _certain(item: Item) -> Iterable[Claim]:
    """What can be nothing else, whatever the reporter calls it; a cast speaks of NaN and damages nothing by it."""
    compared = in_text(item, DIFFERS) or in_title(item, COMPARED)
    cast = in_title(item, NAN_CAST)
    if cast and compared:
        yield claim("devices may cast NaN and infinity as they like", ItemClass.OTHER, 4.0, cast, veto=True)
    if not compared or in_text(item, DAMAGE):
        return
    named = (
        ("which of equals is chosen is free", in_text(item, TIES), in_text(item, ORDER) and in_title(item, CHOOSES)),
        ("each device has a random stream of its own", in_text(item, SAME_STREAM), in_title(item, RANDOM)),
        ("it says itself that it is rounding", in_text(item, WITHIN), in_title(item, SCANS) or in_title(item, SMOOTH)),
    )
    for why, place, needed in named:
        if place and needed:
            yield claim(why, ItemClass.OTHER, 4.0, place, veto=True)
