"""What kind of thread it is and what it lacks: no reason by itself, but it shifts what the other words mean."""

from collections.abc import Iterable
from functools import cache

from bot.model import Claim, Item, ItemKind
from bot.rules.devices import GPU, GPU_LABELS
from bot.rules.phrases import Phrases
from bot.rules.spans import among_labels, in_code, in_lead, in_title, reading

CPU = Phrases("cpu")
TRIAGED = frozenset(("triaged", "bot-triaged", "actionable", "high priority", "triage review"))
SHORT = 12
"""Words of prose; fewer tell next to nothing."""


def rule(item: Item) -> Iterable[Claim]:
    """Claims for nothing: the model gives each its weight."""
    read = reading(item)
    gpu = in_title(item, GPU) or in_lead(item, GPU) or in_code(item, GPU) or among_labels(item, GPU_LABELS)
    yield _said("it is an issue" if item.kind is ItemKind.ISSUE else "it is a change")
    yield _said("a GPU is named" if gpu else "no GPU is named anywhere")
    if in_title(item, CPU) and in_title(item, GPU):
        yield _said("the title names both a CPU and a GPU")
    if len(read.lead.words) < SHORT:
        yield _said("it has few words")
    if not item.labels:
        yield _said("no label is set")
    elif not read.labels.isdisjoint(TRIAGED):
        yield _said("it was triaged")


@cache
def _said(why: str) -> Claim:
    return Claim(why=why)
