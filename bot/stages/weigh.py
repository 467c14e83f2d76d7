"""weigh: what the rules say of an item becomes a class, a defect kind and a probability.

A rule's own weight comes first; what was learned from labelled items is added to it. Both are sums over what was said,
what was said is sorted first, so the order of the rules can't matter, and any figure can be taken apart again.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from operator import add, attrgetter
from typing import NamedTuple

from bot.model import Claim, DefectKind, Item, ItemClass, Reason
from bot.registry import Rule

CLASSES = (
    ItemClass.TEST_TOGGLE,
    ItemClass.DOCS_CI_BUILD,
    ItemClass.DISTRIBUTED,
    ItemClass.SHARED_UPSTREAM,
    ItemClass.PLATFORM_EXCLUSIVE,
    ItemClass.PERFORMANCE,
    ItemClass.FEATURE,
    ItemClass.CPU_ONLY,
    ItemClass.QUESTION,
    ItemClass.OTHER,
    ItemClass.CANDIDATE,
)
"""Which class wins when two weigh the same: the one that is recognised more surely."""
KINDS = tuple(kind for kind in DefectKind if kind is not DefectKind.NONE)
CANDIDATE = CLASSES.index(ItemClass.CANDIDATE)
"""The last of them: all before it are what a rejected item may be."""
BIAS = tuple({ItemClass.CANDIDATE: -0.1, ItemClass.OTHER: 0.25}.get(one, 0.0) for one in CLASSES)
"""Logits of an item that nothing is known of."""
MOST_BY_KIND = 4.0
"""However often a defect is named, it may still be the compiler's."""
PLACES: Mapping[str, int] = {str(name): place for place, name in enumerate((*CLASSES, *KINDS))}
"""Where a class or a defect kind stands in a row of sums."""
NOTHING: Mapping[str, float] = {}


class Said:
    """A claim, by whom, and what was learned of it; what is summed is worked out once, for claims come again."""

    __slots__ = (
        "by",
        "claim",
        "kind",
        "learned",
        "ops",
        "order",
        "place",
        "reason",
        "rule",
        "shifts",
        "veto",
        "weight",
    )

    def __init__(self, by: Rule, claim: Claim, learned: Mapping[str, float]) -> None:
        self.by, self.rule, self.claim, self.learned = by, by.name, claim, learned
        self.kind, self.weight, self.veto, self.ops = claim.defect_kind, claim.weight, claim.veto, claim.ops
        self.place = None if claim.item_class is None else CLASSES.index(claim.item_class)
        self.shifts = tuple((PLACES[name], weight) for name, weight in learned.items() if name in PLACES)
        self.order = -claim.weight, by.name, claim.why
        self.reason = Reason(rule=by.name, why=claim.why, span=claim.span, speaks_for=claim.item_class, veto=claim.veto)


_SAID: dict[int, Said] = {}
"""By identity of the claim, which is held and so keeps its identity as long as it is in here."""
_SAID_MOST = 1 << 14
_ORDER = attrgetter("order")


def said_of(item: Item, rules: Sequence[Rule]) -> list[Said]:
    """All that the rules say of an item, in an order of its own."""
    said = []
    for rule in rules:
        for claim in rule.apply(item):
            one = _SAID.get(id(claim))
            said.append(one if one is not None and one.by is rule else _say(rule, claim))
    said.sort(key=_ORDER)
    return said


def _say(rule: Rule, claim: Claim) -> Said:
    if len(_SAID) >= _SAID_MOST:
        _SAID.clear()
    one = _SAID[id(claim)] = Said(rule, claim, rule.weights.get(claim.why, NOTHING))
    return one


class Weighed(NamedTuple):
    """What speaks for each class and each defect kind, in logits."""

    classes: tuple[float, ...]
    """In the order of CLASSES."""
    kinds: tuple[float, ...]
    """In the order of KINDS; empty where nothing names one."""


def weigh(said: Iterable[Said]) -> Weighed:
    """The sums. Of several defect kinds only the likeliest speaks for a candidate by itself."""
    believed = list(BIAS)
    kinds: dict[DefectKind, float] = {}
    learned = [0.0] * len(PLACES)
    for one in said:
        if one.kind is not None:
            kinds[one.kind] = kinds.get(one.kind, 0.0) + one.weight
        elif one.place is not None:
            believed[one.place] += one.weight
        for place, weight in one.shifts:
            learned[place] += weight
    if not kinds:
        return Weighed(tuple(map(add, believed, learned)), ())
    believed[CANDIDATE] += min(max(kinds.values()), MOST_BY_KIND)
    named = [kinds.get(one, 0.0) for one in KINDS]
    return Weighed(tuple(map(add, believed, learned)), tuple(map(add, named, learned[len(CLASSES) :])))


def likeliest(logits: Sequence[float]) -> int:
    """The place of the class but candidate that weighs most; the first in a tie."""
    return logits.index(max(logits[:CANDIDATE]))


def likeliest_kind(logits: Sequence[float], otherwise: DefectKind) -> DefectKind:
    """The kind that weighs most, `otherwise` where nothing names one."""
    return max(zip(logits, KINDS, strict=True))[1] if logits else otherwise


def probability(logits: Sequence[float]) -> float:
    """That the item is a candidate, where all classes compete."""
    top = max(logits)
    powers = [math.exp(logit - top) for logit in logits]
    return powers[CANDIDATE] / math.fsum(powers)


def without_title(said: Iterable[Said]) -> list[Said]:
    """What is left where the title is not the item's own."""
    return [one for one in said if one.claim.span is None or one.claim.span.field != "title"]


def unlearned(said: Iterable[Said]) -> list[Said]:
    """The same as the rules believe it by themselves."""
    return [Said(one.by, one.claim, NOTHING) for one in said]


def taught(said: Iterable[Said], learned: Mapping[str, Mapping[str, Mapping[str, float]]]) -> list[Said]:
    """The same with what was learned: rule -> what it says -> class or defect kind -> weight."""
    return [Said(one.by, one.claim, learned.get(one.rule, {}).get(one.claim.why, NOTHING)) for one in said]
