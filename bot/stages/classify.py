"""classify: what each item of a window is about, whether it concerns XPU's own kernels, and who belongs together."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bot.model import Claim, DefectKind, Item, ItemClass, Reason, Ruling
from bot.registry import Rule
from bot.stages.chain import chains, groups, member

BIAS = -2.75
"""Logit of an item that nothing is known of; a GPU kernel with a named defect outweighs it."""
THRESHOLD = 0.5
PRECEDENCE = (
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


def classify(items: Sequence[Item], rules: Sequence[Rule]) -> list[Ruling]:
    """A ruling for each item, in their order; `chain` names the other items of the same upstream change."""
    together = chains(groups(map(member, items)))
    return [chained(rule_on(item, rules), together[item.key]) for item in items]


class Rulings(Mapping[str, Ruling]):
    """Rulings by item key, packed: a month of them whole would take as much memory as all else together."""

    def __init__(self) -> None:
        self._packed: dict[str, bytes] = {}

    def keep(self, key: str, ruling: Ruling) -> None:
        """Keep it in the place of an earlier one."""
        self._packed[key] = ruling.model_dump_json(exclude_defaults=True).encode()

    def forget(self, key: str) -> None:
        """Keep it no longer."""
        del self._packed[key]

    def __getitem__(self, key: str) -> Ruling:
        return Ruling.model_validate_json(self._packed[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


def chained(ruling: Ruling, chain: tuple[int | str, ...]) -> Ruling:
    """A ruling that names the rest of its chain."""
    return ruling.model_copy(update={"chain": chain})


def rule_on(item: Item, rules: Sequence[Rule]) -> Ruling:
    """An item's ruling by itself. Vetoes first, then the sum of the weights; the order of the rules doesn't matter."""
    claims = [(rule.name, claim) for rule in rules for claim in rule.apply(item)]
    claims.sort(key=lambda pair: (-pair[1].weight, pair[0], pair[1].why))
    against = _heaviest(claim for _, claim in claims if claim.item_class is not ItemClass.CANDIDATE)
    veto = _heaviest(claim for _, claim in claims if claim.veto)
    logit = BIAS + sum(
        claim.weight if claim.item_class is ItemClass.CANDIDATE else -claim.weight
        for _, claim in claims
        if claim.defect_kind is None
    )
    defect_kind, strength = _defect(claims)
    score = 0.0 if veto else 1 / (1 + math.exp(-(logit + strength)))
    candidate = score >= THRESHOLD
    item_class = ItemClass.CANDIDATE if candidate else (veto or against or ItemClass.OTHER)
    claims.sort(key=lambda pair: (pair[1].item_class is not item_class, not pair[1].veto))
    return Ruling(
        number=item.number,
        kind=item.kind,
        candidate=candidate,
        item_class=item_class,
        defect_kind=defect_kind,
        ops=tuple(dict.fromkeys(op for _, claim in claims for op in claim.ops)),
        score=round(score, 4),
        reasons=tuple(_reason(name, claim) for name, claim in claims),
    )


def _reason(rule: str, claim: Claim) -> Reason:
    return Reason(rule=rule, why=claim.why, span=claim.span, speaks_for=claim.item_class)


def _heaviest(claims: Iterable[Claim]) -> ItemClass | None:
    """The class with the greatest sum of weights; PRECEDENCE breaks a tie."""
    weights: dict[ItemClass, float] = {}
    for claim in claims:
        if claim.item_class is not None:
            weights[claim.item_class] = weights.get(claim.item_class, 0.0) + claim.weight
    return max(weights, key=lambda one: (weights[one], -PRECEDENCE.index(one)), default=None)


def _defect(claims: Sequence[tuple[str, Claim]]) -> tuple[DefectKind, float]:
    """The defect kind that weighs most, and its weight; further kinds add nothing to it."""
    weights: dict[DefectKind, float] = {}
    for _, claim in claims:
        if claim.defect_kind is not None:
            weights[claim.defect_kind] = weights.get(claim.defect_kind, 0.0) + claim.weight
    if not weights:
        return DefectKind.NONE, 0.0
    kind = max(weights, key=lambda one: (weights[one], one))
    return kind, weights[kind]
