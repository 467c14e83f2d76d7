"""weigh: what the rules say of an item becomes a class, a defect kind and a probability.

A rule's own weight comes first; what was learned from labelled items is added to it. Both are sums over what was said,
what was said is sorted first, so the order of the rules can't matter, and any figure can be taken apart again.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bot.model import Claim, DefectKind, Item, ItemClass
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
BIAS: Mapping[ItemClass, float] = {ItemClass.CANDIDATE: -0.5, ItemClass.OTHER: 0.25}
"""Logits of an item that nothing is known of; zero for the other classes."""
MOST_BY_KIND = 4.0
"""However often a defect is named, it may still be the compiler's."""


NOTHING: Mapping[str, float] = {}


class Said(NamedTuple):
    """A claim, by whom, and what was learned of it."""

    rule: str
    claim: Claim
    learned: Mapping[str, float]


def said_of(item: Item, rules: Sequence[Rule]) -> list[Said]:
    """All that the rules say of an item, in an order of its own."""
    said = [
        Said(rule.name, claim, rule.weights.get(claim.why, NOTHING)) for rule in rules for claim in rule.apply(item)
    ]
    said.sort(key=lambda one: (-one.claim.weight, one.rule, one.claim.why))
    return said


class Weighed(NamedTuple):
    """What speaks for each class and each defect kind, in logits."""

    classes: Mapping[ItemClass, float]
    kinds: Mapping[DefectKind, float]
    """Empty where nothing names one."""


def weigh(said: Iterable[Said]) -> Weighed:
    """The sums. Of several defect kinds only the likeliest speaks for a candidate by itself."""
    believed: dict[ItemClass, float] = dict(BIAS)
    kinds: dict[DefectKind, float] = {}
    learned: dict[str, float] = {}
    for _, claim, weights in said:
        if claim.defect_kind is not None:
            kinds[claim.defect_kind] = kinds.get(claim.defect_kind, 0.0) + claim.weight
        elif claim.item_class is not None:
            believed[claim.item_class] = believed.get(claim.item_class, 0.0) + claim.weight
        for name, weight in weights.items():
            learned[name] = learned.get(name, 0.0) + weight
    if kinds:
        believed[ItemClass.CANDIDATE] += min(max(kinds.values()), MOST_BY_KIND)
    return Weighed(
        {one: believed.get(one, 0.0) + learned.get(one, 0.0) for one in CLASSES},
        {one: kinds.get(one, 0.0) + learned.get(one, 0.0) for one in KINDS} if kinds else {},
    )


def likeliest_class(logits: Mapping[ItemClass, float], among: Iterable[ItemClass]) -> ItemClass:
    """The class that weighs most; CLASSES breaks a tie."""
    return max(among, key=lambda one: (logits[one], -CLASSES.index(one)))


def likeliest_kind(logits: Mapping[DefectKind, float], otherwise: DefectKind) -> DefectKind:
    """The kind that weighs most, `otherwise` where nothing names one."""
    return max(logits, key=lambda one: (logits[one], one), default=otherwise)


def probability(logits: Mapping[ItemClass, float]) -> float:
    """That the item is a candidate, where all classes compete."""
    top = max(logits.values())
    whole = math.fsum(math.exp(logit - top) for logit in logits.values())
    return math.exp(logits[ItemClass.CANDIDATE] - top) / whole


def without_title(said: Iterable[Said]) -> list[Said]:
    """What is left where the title is not the item's own."""
    return [one for one in said if one.claim.span is None or one.claim.span.field != "title"]


def unlearned(said: Iterable[Said]) -> list[Said]:
    """The same as the rules believe it by themselves."""
    return [one._replace(learned={}) for one in said]


def taught(said: Iterable[Said], learned: Mapping[str, Mapping[str, Mapping[str, float]]]) -> list[Said]:
    """The same with what was learned: rule -> what it says -> class or defect kind -> weight."""
    return [one._replace(learned=learned.get(one.rule, {}).get(one.claim.why, NOTHING)) for one in said]
