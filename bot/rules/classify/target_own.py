"""XPU's own items are somebody's work already."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.phrases import Phrases
from bot.rules.signals import Signal, Signals
from bot.rules.spans import claim, span

XPU = Phrases("xpu", "intel gpu*", "sycl", "xpu*", "torch_xpu_ops", "torch xpu ops", "ai_generated")
LABELS = frozenset(("module: xpu", "ai_generated"))
SIGNALS = Signals(
    ItemClass.OTHER,
    Signal("title", XPU, 4.0, "the title names XPU", veto=True),
    Signal("labels", LABELS, 4.0, "a label names XPU", veto=True),
)


def rule(item: Item) -> Iterable[Claim]:
    """By repository, title or label; a pull request that merely also runs XPU's tests is not meant."""
    yield from SIGNALS.claims(item)
    if item.repo.lower().endswith("/torch-xpu-ops"):
        why = "it is an item of the target's own repository"
        yield claim(why, ItemClass.OTHER, 2.5, span("repo", item.repo), veto=True)
