"""begin: an upstream change of a window becomes a case, as its ruling leaves it."""

from collections.abc import Mapping, Sequence

from bot import __version__
from bot.model import Case, FrozenHeads, Item, Outcome, OutcomeKind, Ruling, Window
from bot.stages.chain import Group, bare, chains
from bot.stages.classify import chained
from bot.stages.state import standing


def begin(
    window: Window, heads: FrozenHeads, device: str, items: Sequence[Item], ruling: Ruling, near: Sequence[Item]
) -> Case:
    """The case of a chain: its items, the leader first, its ruling, what is linked with it, and where it stands."""
    return opened(
        Case(
            window=window,
            heads=heads,
            device=device,
            version=__version__,
            items=tuple(items),
            ruling=ruling,
            linked=bare(near),
            standing=standing(items),
        )
    )


def opened(case: Case) -> Case:
    """A new case as its ruling leaves it: a candidate goes on, anything else ends here with the rules' words."""
    if case.ruling.candidate:
        return case
    reasons = [reason for reason in case.ruling.reasons if reason.speaks_for == case.ruling.item_class]
    told = "; ".join(f"{one.why} ({one.rule}: {one.span.text!r})" if one.span else one.why for one in reasons[:3])
    why = f"{case.ruling.item_class}: {told or 'nothing in it speaks for a kernel fault'}"
    return case.model_copy(update={"outcome": Outcome(kind=OutcomeKind.DROPPED, stage="classify", reason=why)})


def chief_ruling(group: Group, rulings: Mapping[str, Ruling]) -> Ruling:
    """The leader's ruling, unless only other members are candidates: then the likeliest of those."""
    chief = group[0]
    if not rulings[chief.key].candidate:
        candidates = (one for one in group[1:] if rulings[one.key].candidate)
        chief = max(candidates, key=lambda one: rulings[one.key].score, default=chief)
    return chained(rulings[chief.key], chains([group])[chief.key])
