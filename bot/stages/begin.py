"""begin: an upstream change of a window becomes a case, as its ruling leaves it."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from bot import __version__
from bot.model import Case, FrozenHeads, Item, ItemClass, Outcome, OutcomeKind, Ruling, Window
from bot.stages.chain import Group, bare, chains
from bot.stages.classify import chained

WATCHED_DAYS: Mapping[ItemClass, int] = {ItemClass.SHARED_UPSTREAM: 30}
"""Classes that are watched, and looked at again after so many days; every other that is no candidate ends.

Code above all devices reaches the target with the next builds.
"""


def begin(
    window: Window,
    heads: FrozenHeads,
    device: str,
    items: Sequence[Item],
    ruling: Ruling,
    near: Sequence[Item],
    now: datetime,
) -> Case:
    """The case of a chain: its items, the leader first, its ruling, and what is linked with it."""
    return opened(
        Case(
            window=window,
            heads=heads,
            device=device,
            version=__version__,
            items=tuple(items),
            ruling=ruling,
            linked=bare(near),
        ),
        now,
    )


def opened(case: Case, now: datetime) -> Case:
    """A new case as its ruling leaves it: a candidate goes on, another ends or is watched, with the rules' words."""
    if case.ruling.candidate:
        return case
    reasons = [reason for reason in case.ruling.reasons if reason.speaks_for == case.ruling.item_class]
    told = "; ".join(f"{one.why} ({one.rule}: {one.span.text!r})" if one.span else one.why for one in reasons[:3])
    why = f"{case.ruling.item_class}: {told or 'nothing in it speaks for a kernel fault'}"
    days = WATCHED_DAYS.get(case.ruling.item_class)
    outcome = Outcome(
        kind=OutcomeKind.WATCHED if days else OutcomeKind.DROPPED,
        stage="classify",
        reason=why,
        look_again_at=now + timedelta(days=days) if days else None,
    )
    return case.model_copy(update={"outcome": outcome})


def chief_ruling(group: Group, rulings: Mapping[str, Ruling]) -> Ruling:
    """The leader's ruling, unless only other members are candidates: then the likeliest of those."""
    chief = group[0]
    if not rulings[chief.key].candidate:
        candidates = (one for one in group[1:] if rulings[one.key].candidate)
        chief = max(candidates, key=lambda one: rulings[one.key].score, default=chief)
    return chained(rulings[chief.key], chains([group])[chief.key])
