"""state: where an upstream change stands, told from the commits of the default branch and what the merge bot leaves.

GitHub shows a landed pull request as closed and not merged. What counts is the commit that closed it, the label that
the bot gives, and what reverts and re-lands of the same change did since. An issue stands as what fixes it does.
"""

import re
from collections.abc import Mapping, Sequence

from bot.model import ChangeState, Item, ItemKind, ItemState, LinkKind, Standing, StateReason, rfc3339
from bot.stages.timeline import Changes, Event, changes, elsewhere, labelled

SUPERSEDED = re.compile(
    r"\b(?:(?:superseded|superceded|replaced|obsoleted)\s+(?:by|with)|in favou?r of|moved to|continued in|reopened as"
    r"|resubmitted as)\s+\S{0,80}?(?:#|/pull/|/issues/)(?P<number>\d{1,9})\b",
    re.I,
)
TRUSTED = frozenset({"OWNER", "MEMBER", "COLLABORATOR", "CONTRIBUTOR"})
READ = 20_000
NAMED = 3
"""Others that a sentence names at most."""


def standing_of(item: Item, chain: Sequence[Item]) -> Standing:
    """Where one item of a chain stands."""
    return standings([item, *(one for one in chain if one.key != item.key)])[item.key]


def standings(chain: Sequence[Item]) -> Mapping[str, Standing]:
    """Where each item of a chain stands, by key: an issue as what fixes it does, a change by itself, what became of it
    since it landed included."""
    known = changes(chain)
    own = {key: _change(item, known) for key, item in known.items.items() if item.kind is not ItemKind.ISSUE}
    return {key: own[key] if key in own else _issue(item, known, own) for key, item in known.items.items()}


def _change(item: Item, known: Changes) -> Standing:
    """A pull request or a commit."""
    events = known.events(known.change_of[item.key])
    if events and known.landed_once(item):
        told = _after(events, item)
        undone = known.named.get(item.key) if told.state is ChangeState.LANDED else None
        return told.model_copy(update={"why": f"{told.why}; it takes back {_few(undone)}"}) if undone else told
    told = _unlanded(item)
    if told.state is not ChangeState.ABANDONED:
        return told
    instead = [events[-1], *_rivals(item, known)] if events else _rivals(item, known)
    landed = next((event.item.key for event in instead if event.on), None)
    if landed is None:
        return told
    why = f"it was closed without landing, and {landed} landed in its place"
    return told.model_copy(update={"state": ChangeState.SUPERSEDED, "why": why})


def _rivals(item: Item, known: Changes) -> list[Event]:
    """The last event of each other change that fixes the same issue, but for layers of the same stack."""
    fixing = [one for fixes in known.fixes_of.values() if item.key in fixes for one in fixes]
    others = [one for one in fixing if known.stack_of[one] != known.stack_of[item.key]]
    return [events[-1] for one in dict.fromkeys(others) if (events := known.events(known.change_of[one]))]


def _after(events: Sequence[Event], item: Item) -> Standing:
    """A change that was on the default branch, as its last event left it; `item` is the one of it that is told of."""
    last = events[-1]
    since = last.landing.at if last.landing else None
    if last.on and last.landing:
        again = "again " if any(not event.on for event in events) else ""
        why = f"{last.item.key} landed {again}{last.landing.how}"
        return Standing(state=ChangeState.LANDED, why=why, since=since, landed_sha=last.landing.sha)
    own = "its label says that it was reverted, and no commit that brought it back is known"
    why = f"{last.item.key} took {item.key} back" if last.landing else f"{last.item.key}: {own}"
    return Standing(state=ChangeState.REVERTED, why=why, since=since)


def _issue(item: Item, known: Changes, own: Mapping[str, Standing]) -> Standing:
    """It is mended while any of its fixes is on the default branch, and reverted only if none is."""
    fixes = [_fix(key, known, own[key]) for key in known.fixes_of.get(item.key, ())]
    for state, others in (
        (ChangeState.LANDED, (ChangeState.REVERTED, ChangeState.OPEN)),
        (ChangeState.REVERTED, (ChangeState.OPEN,)),
    ):
        of_it = [told for told in fixes if told.state is state]
        if of_it:
            best = max(of_it, key=lambda told: (told.since.timestamp() if told.since else 0.0, told.why))
            also = dict.fromkeys(told.why for told in fixes if told.state in others)
            return best.model_copy(update={"why": "; ".join([best.why, *list(also)[:NAMED]])})
    if item.state is ItemState.OPEN:
        return _unlanded(item)
    pending = [told.why for told in fixes if told.state is ChangeState.OPEN]
    if pending and item.landed_sha is None and item.state_reason not in ENDED:
        why = f"{item.key} is closed; " + "; ".join(pending[:NAMED])
        return Standing(state=ChangeState.OPEN, why=why, since=item.created_at)
    return _closed_issue(item, known.items)


def _fix(key: str, known: Changes, own: Standing) -> Standing:
    """Of a fix that was closed for a re-land which landed, that one counts."""
    events = known.events(known.change_of[key])
    return _after(events, known.items[key]) if events else own


ENDED: Mapping[StateReason | None, tuple[ChangeState, str]] = {
    StateReason.NOT_PLANNED: (ChangeState.ABANDONED, "as not planned"),
    StateReason.DUPLICATE: (ChangeState.SUPERSEDED, "as a duplicate"),
}
"""What GitHub says of a closed issue that tells where it stands; `completed` may be anything."""


def _closed_issue(item: Item, known: Mapping[str, Item]) -> Standing:
    """One that no change which was read fixes: nothing is claimed that nobody said."""
    closed = f"{item.key} was closed{_day(item)}"
    if item.landed_sha is not None:
        why = f"{closed} by the commit {item.landed_sha}"
        return Standing(state=ChangeState.LANDED, why=why, since=item.closed_at, landed_sha=item.landed_sha)
    if item.state_reason in ENDED:
        state, how = ENDED[item.state_reason]
        return Standing(state=state, why=f"{closed} {how}", since=item.closed_at)
    fixing = [link.key for link in item.links if link.kind is LinkKind.FIXED_BY and link.key not in known]
    what = f"{_few(fixing)} fixes it, whose state was not read" if fixing else "how was not read"
    return Standing(state=ChangeState.UNKNOWN, why=f"{closed}; {what}", since=item.closed_at)


def _unlanded(item: Item) -> Standing:
    """An item that did nothing to the default branch; of issues only open ones."""
    stale = labelled(item, "stale")
    if item.state is ItemState.OPEN:
        why = f"{item.key} is open{', marked stale' if stale else ''}"
        return Standing(state=ChangeState.OPEN, why=why, since=item.created_at)
    merged = item.state is ItemState.MERGED
    if item.base_ref and elsewhere(item) and (merged or item.landed_sha or labelled(item, "merged")):
        why = f"{item.key} went into {item.base_ref}, which is not the default branch"
        return Standing(state=ChangeState.OPEN, why=why, since=item.closed_at)
    if merged:
        into = f" into {item.base_ref}, and no commit or label says that it came to the default branch"
        why = f"GitHub calls {item.key} merged{into if item.base_ref else '; into which branch was not read'}"
        return Standing(state=ChangeState.UNKNOWN, why=why, since=item.merged_at or item.closed_at)
    if number := _successor(item):
        why = f"{item.key} was closed without landing and names #{number} in its place"
        return Standing(state=ChangeState.SUPERSEDED, why=why, since=item.closed_at)
    why = f"{item.key} was closed{_day(item)}{', as stale' if stale else ''}; nothing of it landed"
    return Standing(state=ChangeState.ABANDONED, why=why, since=item.closed_at)


def _successor(item: Item) -> str | None:
    """What its author, or somebody who belongs to the project, says that took its place."""
    said = [item.body[:READ]]
    said += [
        comment.body[:READ]
        for comment in item.comments
        if comment.author_association in TRUSTED or (comment.author and comment.author == item.author)
    ]
    numbers = [match["number"] for text in said for match in SUPERSEDED.finditer(text)]
    return next((number for number in reversed(numbers) if number != str(item.number)), None)


def _day(item: Item) -> str:
    return f" on {rfc3339(item.closed_at)[:10]}" if item.closed_at else ""


def _few(keys: Sequence[str]) -> str:
    return ", ".join(keys[:NAMED]) + (" and others" if len(keys) > NAMED else "")
