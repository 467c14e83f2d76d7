"""classify: what each item of a window is about, whether it concerns XPU's own kernels, and who belongs together."""

from collections.abc import Iterator, Mapping, Sequence

from bot.model import DefectKind, Item, ItemClass, Ruling
from bot.registry import Rule
from bot.stages.chain import chains, groups, member
from bot.stages.weigh import (
    CANDIDATE,
    CLASSES,
    Said,
    likeliest,
    likeliest_kind,
    probability,
    said_of,
    weigh,
)

THRESHOLD = 0.5
OTHER = CLASSES.index(ItemClass.OTHER)
UNNAMED = DefectKind.SILENT_WRONG_RESULT
"""What a candidate has whose defect nobody named: something is wrong, and it did not say so."""


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
    vetoes = [one for one in said if one.veto]
    score = 0.0 if vetoes else round(probability(weighed.classes), 4)
    candidate = score >= THRESHOLD
    telling = [one for one in said if one.place is not None]
    likely = likeliest(weighed.classes) if telling else OTHER
    place = CANDIDATE if candidate else likely
    first = [one for one in telling if one.place == place]
    if vetoes:
        first.sort(key=lambda one: not one.veto)
    rest = [one for one in telling if one.place != place]
    return Ruling(
        number=item.number,
        kind=item.kind,
        candidate=candidate,
        item_class=CLASSES[place],
        defect_kind=likeliest_kind(weighed.kinds, UNNAMED if candidate else DefectKind.NONE),
        ops=tuple(dict.fromkeys([op for one in said for op in one.ops])),
        score=score,
        reasons=tuple([one.reason for one in first + rest]),
    )
