"""Faster or slower is not wrong: performance has its own harness."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.phrases import Phrases
from bot.rules.signals import Signal, Signals

LABELS = frozenset(
    ("module: performance", "topic: performance", "performance", "module: perf", "ciflow/inductor-perf-compare")
)
TITLE = Phrases(
    "perf", "performance", "speed up*", "speedup*", "speedups", "faster", "slow", "slower", "slowness", "slowdown*", "optimi*", "accelerat*", "throughput", "latency",
    "vectorize|vectorizes|vectorizing|vectorization|vectorizations|vectorise|vectorisation", "vectorized ..4 implementation|load*|store*|access|path|loading|kernel|kernels", "channel parallel", "resource consumption", "overhead", "occupancy", "tiled", "two pass", "benchmark*", "reduce memory usage|consumption|footprint",
    "bandwidth", "redundant", "unnecessary", "revectoriz*", "modernize*", "improve ..4 kernel|kernels", "efficient", "fuse", "fast path", "unroll*", "tune", "tuning", "heuristic*", "memory usage|consumption|footprint", "cache",
)  # fmt: skip
LEAN = Phrases(
    "remove|removes|drop|drops|avoid|avoids|eliminate|eliminates|skip ..1 unnecessary|redundant|unneeded|superfluous|extra"
)
PROSE = Phrases(
    "speed up*", "speedup*", "faster", "slower", "slow", "slowdown", "bandwidth", "microseconds", "gb s",
    "performance", "throughput", "latency", "perf", "heuristics", "fast path",
)  # fmt: skip
FAULT = Phrases(
    "fix*", "wrong*", "incorrect*", "silent*", "overflow*", "nan", "nans", "crash*", "illegal", "regression*",
    "error*", "accura*", "fail*", "corrupt*",
)  # fmt: skip
SIGNALS = Signals(
    ItemClass.PERFORMANCE,
    Signal("labels", LABELS, 3.0, "a label says so", veto=True, unless=FAULT),
    Signal("labels", LABELS, 3.0, "a label says so, the title speaks of a fault", only=FAULT),
    Signal("title", TITLE, 5.0, "the title speaks of speed", unless=FAULT),
    Signal("title", TITLE, 3.0, "the title speaks of speed and of a fault", only=FAULT),
    Signal("title", LEAN, 3.5, "the title takes needless work away"),
    Signal("lead", PROSE, 1.5, "the text measures speed"),
)


def rule(item: Item) -> Iterable[Claim]:
    """The label decides, unless the title speaks of a fault; then the title's words; a speed-up in the body is a hint."""
    return SIGNALS.claims(item)
