"""begin: each upstream change of a window becomes a case, as its ruling leaves it."""

from collections.abc import Mapping, Sequence

from bot import __version__
from bot.model import Case, FrozenHeads, Item, Outcome, OutcomeKind, Ruling, Window
from bot.stages.chain import groups, linked, neighbours


def begin(
    window: Window, device: str, heads: FrozenHeads, items: Sequence[Item], rulings: Mapping[str, Ruling]
) -> list[Case]:
    """The window's cases, ordered by leader. `rulings` are by item key, one for each item."""
    near = neighbours(items)
    return [
        opened(
            Case(
                window=window,
                heads=heads,
                device=device,
                version=__version__,
                items=group,
                ruling=_chief_ruling(group, rulings),
                linked=linked(group, near),
            )
        )
        for group in groups(items)
    ]


def opened(case: Case) -> Case:
    """A new case as its ruling leaves it: a candidate goes on, anything else ends here with the rules' words."""
    if case.ruling.candidate:
        return case
    reasons = [reason for reason in case.ruling.reasons if reason.speaks_for == case.ruling.item_class]
    told = "; ".join(f"{one.why} ({one.rule}: {one.span.text!r})" if one.span else one.why for one in reasons[:3])
    why = f"{case.ruling.item_class}: {told or 'nothing in it speaks for a kernel fault'}"
    return case.model_copy(update={"outcome": Outcome(kind=OutcomeKind.DROPPED, stage="classify", reason=why)})


def _chief_ruling(group: Sequence[Item], rulings: Mapping[str, Ruling]) -> Ruling:
    """The leader's ruling, unless only another member is a candidate: then the likeliest of those."""
    own = rulings[group[0].key]
    others = [rulings[item.key] for item in group[1:]]
    candidates = sorted((one for one in others if one.candidate), key=lambda one: -one.score)
    return own if own.candidate or not candidates else candidates[0]
