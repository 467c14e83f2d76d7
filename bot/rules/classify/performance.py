"""Faster or slower is not wrong: performance has its own harness."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.spans import among_labels, in_body, in_title, words

LABELS = ("module: performance", "topic: performance", "performance")
TITLE = words(
    r"perf", r"performance", r"speed[- ]?ups?", r"faster", r"slow(?:er|ness|down)?", r"optimi[sz]\w+", r"accelerat\w+",
    r"throughput", r"latency", r"channel-parallel", r"vectori[sz]ed? (?:\w+ ){0,2}kernel", r"resource consumption",
    r"overhead", r"occupancy", r"tiled", r"two[- ]pass", r"benchmark\w*", r"reduce memory (?:usage|consumption)",
)  # fmt: skip
BODY = words(r"speed-?ups?", r"\d+(?:\.\d+)?x faster", r"\d+ ?% faster", r"bandwidth", r"microseconds", r"GB/s")


def rule(item: Item) -> Iterable[Claim]:
    """The title decides; a speed-up in the body is a hint."""
    for why, span, weight in (
        ("the title speaks of speed", in_title(item, TITLE), 5.0),
        ("a label says so", among_labels(item, LABELS), 4.5),
        ("the text measures speed", in_body(item, BODY), 1.0),
    ):
        if span:
            yield Claim(why=why, item_class=ItemClass.PERFORMANCE, weight=weight, span=span)
