"""classify: what each item of a window is about, whether it concerns XPU's own kernels, and who belongs together."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from bot.model import DefectKind, Item, ItemClass, Reason, Ruling, Span
from bot.registry import Rule
from bot.stages.chain import chains, groups, member
from bot.stages.weigh import (
    CLASSES,
    Said,
    likeliest_class,
    likeliest_kind,
    probability,
    said_of,
    weigh,
)

THRESHOLD = 0.5
UNNAMED = DefectKind.SILENT_WRONG_RESULT
"""What a candidate has whose defect nobody named: something is wrong, and it did not say so."""
REJECTED = tuple(one for one in CLASSES if one is not ItemClass.CANDIDATE)


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
    return ruling.model_copy(update={"chain": chain}) if chain != ruling.chain else ruling


def rule_on(item: Item, rules: Sequence[Rule]) -> Ruling:
    """An item's ruling by itself: vetoes first, then what weighs most; the order of the rules doesn't matter."""
    return ruling_of(item, said_of(item, rules))


def ruling_of(item: Item, said: Sequence[Said]) -> Ruling:
    """The ruling that follows from what was said."""
    weighed = weigh(said)
    vetoed = any(one.claim.veto for one in said)
    others = REJECTED if any(one.claim.item_class is not None for one in said) else (ItemClass.OTHER,)
    score = 0.0 if vetoed else round(probability(weighed.classes), 4)
    candidate = score >= THRESHOLD
    item_class = ItemClass.CANDIDATE if candidate else likeliest_class(weighed.classes, others)
    first = [one for one in said if one.claim.item_class is item_class]
    ordered = [one for one in first if one.claim.veto] + [one for one in first if not one.claim.veto]
    ordered += [one for one in said if one.claim.item_class not in (item_class, None)]
    return Ruling(
        number=item.number,
        kind=item.kind,
        candidate=candidate,
        item_class=item_class,
        defect_kind=likeliest_kind(weighed.kinds, UNNAMED if candidate else DefectKind.NONE),
        ops=tuple(dict.fromkeys(op for one in said for op in one.claim.ops)),
        score=score,
        reasons=tuple(map(_reason, ordered)),
    )


def _reason(one: Said) -> Reason:
    span = one.claim.span
    told = (span.field, span.text) if span else None
    return _made(one.rule, one.claim.why, told, one.claim.item_class)


@lru_cache(maxsize=1 << 14)
def _made(rule: str, why: str, told: tuple[str, str] | None, item_class: ItemClass | None) -> Reason:
    """A reason; the same come again and again."""
    span = Span(field=told[0], text=told[1]) if told else None
    return Reason(rule=rule, why=why, span=span, speaks_for=item_class)
