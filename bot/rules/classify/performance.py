"""Faster or slower is not wrong: performance has its own harness."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.spans import among_labels, in_body, in_title, words

LABELS = ("module: performance", "topic: performance", "performance")
TITLE = words(
    r"perf", r"performance", r"speed[- ]?ups?", r"faster", r"slow(?:er|ness|down)?", r"optimi[sz]\w+", r"accelerat\w+",
    r"throughput", r"latency", r"channel-parallel", r"vectori[sz]ed? (?:\w+ ){0,2}kernel", r"resource consumption",
    r"overhead", r"occupancy", r"tiled", r"two[- ]pass", r"benchmark(?:s|ing|ed)?(?!=)", r"reduce memory (?:usage|consumption)",
)  # fmt: skip
BODY = words(r"speed-?ups?", r"\d+(?:\.\d+)?x faster", r"\d+ ?% faster", r"bandwidth", r"microseconds", r"GB/s")
FAULT = words(
    r"fix\w*", r"wrong", r"incorrect\w*", r"silent\w*", r"overflow\w*", r"NaNs?", r"crash\w*", r"illegal", r"regression"
)


def rule(item: Item) -> Iterable[Claim]:
    """The label decides, unless the title speaks of a fault; then the title's words; a speed-up in the body is a hint."""
    fault = in_title(item, FAULT)
    for why, span, weight, veto in (
        ("a label says so", among_labels(item, LABELS), 3.0, fault is None),
        ("the title speaks of speed", in_title(item, TITLE), 5.0, False),
        ("the text measures speed", in_body(item, BODY), 1.0, False),
    ):
        if span:
            yield Claim(why=why, item_class=ItemClass.PERFORMANCE, weight=weight, veto=veto, span=span)
