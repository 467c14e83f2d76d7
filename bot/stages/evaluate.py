"""evaluate: how good the classifier is on labelled items, by itself and with what can be learned from them.

Learned weights are judged on items that they were not learned from: the items are dealt into folds, each fold is ruled
on with weights from the others. Who is in which fold follows from the item's key alone, within its label, so that the
order of the file changes nothing.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from bot.model import DefectKind, Item, ItemClass, Ruling
from bot.registry import Rule
from bot.stages.classify import ruling_of
from bot.stages.owner import ELSEWHERE, Owner
from bot.stages.train import Learned, learn
from bot.stages.weigh import CLASSES, Said, said_of, taught, unlearned, without_title

Z = 1.959964
"""Standard deviations that hold 95 %."""
SHOWN = 6


class Labelled(NamedTuple):
    """An item and what people say of it."""

    item: Item
    expected_class: ItemClass
    defect_kind: DefectKind
    title_exact: bool = True
    """False: the title is not the item's own; nothing is learned from it."""


class Judged(NamedTuple):
    """A labelled item and its ruling."""

    labelled: Labelled
    ruling: Ruling

    @property
    def is_candidate(self) -> bool:
        """Do people call it one?"""
        return self.labelled.expected_class is ItemClass.CANDIDATE

    @property
    def wrong(self) -> str:
        """In what the ruling is wrong; empty where it is right."""
        if self.is_candidate != self.ruling.candidate:
            return "missed" if self.is_candidate else "passed"
        if self.is_candidate:
            return "" if self.labelled.defect_kind == self.ruling.defect_kind else "defect kind"
        return "" if self.labelled.expected_class == self.ruling.item_class else "class"


def by_rules(items: Sequence[Labelled], rules: Sequence[Rule]) -> list[Judged]:
    """Ruled on by the rules' own weights."""
    return [Judged(one, ruling_of(one.item, unlearned(said_of(one.item, rules)))) for one in _ordered(items)]


def as_shipped(items: Sequence[Labelled], rules: Sequence[Rule]) -> list[Judged]:
    """Ruled on by the weights that the rules were given."""
    return [Judged(one, ruling_of(one.item, said_of(one.item, rules))) for one in _ordered(items)]


def by_folds(items: Sequence[Labelled], rules: Sequence[Rule], folds: int) -> list[Judged]:
    """Ruled on by weights that were learned from the other folds."""
    said = {one.item.key: said_of(one.item, rules) for one in items}
    ordered = _ordered(items)
    judged = []
    for fold in range(folds):
        learned = _learned([one for place, one in enumerate(ordered) if place % folds != fold], said)
        judged += [
            Judged(one, ruling_of(one.item, taught(said[one.item.key], learned)))
            for place, one in enumerate(ordered)
            if place % folds == fold
        ]
    return judged


def trained(items: Sequence[Labelled], rules: Sequence[Rule]) -> Learned:
    """Weights from all items."""
    return _learned(_ordered(items), {one.item.key: said_of(one.item, rules) for one in items})


def _learned(items: Sequence[Labelled], said: Mapping[str, Sequence[Said]]) -> Learned:
    return learn(
        (
            said[one.item.key] if one.title_exact else without_title(said[one.item.key]),
            one.expected_class,
            one.defect_kind,
        )
        for one in items
    )


def _ordered(items: Iterable[Labelled]) -> list[Labelled]:
    """By label, then by a digest of the key: dealt out in turn, each fold gets its share of every label."""

    def place(one: Labelled) -> tuple[str, str, str]:
        return one.expected_class, one.defect_kind, hashlib.sha256(one.item.key.encode()).hexdigest()

    return sorted(items, key=place)


def share(right: int, whole: int) -> dict[str, Any]:
    """A share with Wilson's 95 % bounds: `right` of `whole`."""
    if not whole:
        return {"right": right, "of": whole, "share": None, "low": None, "high": None}
    rate = right / whole
    middle = (rate + Z * Z / (2 * whole)) / (1 + Z * Z / whole)
    half = Z / (1 + Z * Z / whole) * math.sqrt(rate * (1 - rate) / whole + Z * Z / (4 * whole * whole))
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return {"right": right, "of": whole, "share": round(rate, 4), "low": round(low, 4), "high": round(high, 4)}


def figures(judged: Sequence[Judged], own: Owner | None = None) -> dict[str, Any]:
    """All figures of one way to rule; with an owner also how many candidates come past it, to where they are run."""
    candidates = [one for one in judged if one.is_candidate]
    others = [one for one in judged if not one.is_candidate]
    rejected = [one for one in others if not one.ruling.candidate]
    passed = [one for one in judged if one.ruling.candidate]
    return {
        "items": len(judged),
        **_main(candidates, others),
        **({"recall_owned": share(sum(_goes_on(one, own) for one in candidates), len(candidates))} if own else {}),
        "precision": share(sum(one.is_candidate for one in passed), len(passed)),
        "class_of_rejected": share(sum(not one.wrong for one in rejected), len(rejected)),
        "class_of_all_others": share(sum(not one.wrong for one in others), len(others)),
        "kind_of_candidates": share(sum(_kind_right(one) for one in candidates), len(candidates)),
        "by_kind": _grouped(candidates, lambda one: one.labelled.defect_kind, _of_kind),
        "by_year": _grouped(judged, _year, _of_year),
        "confusion": _confusion(judged),
        "misses": [_miss(one) for one in sorted(judged, key=lambda one: one.labelled.item.order) if one.wrong],
    }


def _main(candidates: Sequence[Judged], others: Sequence[Judged]) -> dict[str, Any]:
    return {
        "recall": share(sum(one.ruling.candidate for one in candidates), len(candidates)),
        "passed": share(sum(one.ruling.candidate for one in others), len(others)),
    }


def _goes_on(one: Judged, own: Owner) -> bool:
    return one.ruling.candidate and own([one.labelled.item], one.ruling).ownership not in ELSEWHERE


def _kind_right(one: Judged) -> bool:
    return one.labelled.defect_kind == one.ruling.defect_kind


def _year(one: Judged) -> str:
    created = one.labelled.item.created_at
    return str(created.year) if created else "unknown"


def _of_kind(group: Sequence[Judged]) -> dict[str, Any]:
    return {
        "recall": share(sum(one.ruling.candidate for one in group), len(group)),
        "kind": share(sum(map(_kind_right, group)), len(group)),
    }


def _of_year(group: Sequence[Judged]) -> dict[str, Any]:
    return _main([one for one in group if one.is_candidate], [one for one in group if not one.is_candidate])


def _grouped(
    judged: Iterable[Judged], key: Callable[[Judged], str], told: Callable[[Sequence[Judged]], dict[str, Any]]
) -> dict[str, Any]:
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        groups.setdefault(str(key(one)), []).append(one)
    return {name: told(group) for name, group in sorted(groups.items())}


def _confusion(judged: Iterable[Judged]) -> dict[str, dict[str, int]]:
    """Expected class -> class of the ruling -> items."""
    counted = Counter((one.labelled.expected_class, one.ruling.item_class) for one in judged)
    return {
        str(row): {str(column): counted[row, column] for column in CLASSES if counted[row, column]}
        for row in CLASSES
        if any(counted[row, column] for column in CLASSES)
    }


def _miss(one: Judged) -> dict[str, Any]:
    """A wrong ruling and the rules that spoke, the most telling first."""
    labelled, ruling = one
    return {
        "item": labelled.item.key,
        "title": labelled.item.title,
        "wrong": one.wrong,
        "expected": [str(labelled.expected_class), str(labelled.defect_kind)],
        "got": [str(ruling.item_class), str(ruling.defect_kind)],
        "score": ruling.score,
        "rules": [
            f"{reason.rule}: {reason.why}" + (f" ({reason.span.text!r})" if reason.span else "")
            for reason in ruling.reasons[:SHOWN]
        ],
    }
