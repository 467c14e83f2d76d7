"""state: where an upstream change stands, told from the commits of the default branch and what the merge bot leaves.

GitHub shows a landed pull request as closed and not merged. What counts is the commit that closed it, the label that
the bot gives, and what reverts and re-lands of the same chain did since.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from bot.model import ChangeState, Item, ItemKind, ItemState, Standing, rfc3339
from bot.stages.kin import RELEASE
from bot.windows.landing import UNDONE, landed, relands

DEFAULT = (None, "main", "master", "viable/strict")
"""Branches that a change has landed on; an item that doesn't say its base is taken to be on it."""
SUPERSEDED = re.compile(
    r"\b(?:(?:superseded|superceded|replaced|obsoleted)\s+(?:by|with)|in favou?r of|moved to|continued in|reopened as"
    r"|resubmitted as)\s+\S{0,80}?(?:#|/pull/|/issues/)(?P<number>\d{1,9})\b",
    re.I,
)
TRUSTED = frozenset({"OWNER", "MEMBER", "COLLABORATOR", "CONTRIBUTOR"})
NEVER = datetime.min.replace(tzinfo=UTC)
READ = 20_000


class _Event(NamedTuple):
    """The change came onto the default branch, or was taken off it."""

    at: datetime
    on: bool
    item: Item
    sha: str | None


def standing(items: Sequence[Item]) -> Standing:
    """Where the change stands that these items are, in any order."""
    events = sorted(filter(None, map(_event, items)), key=lambda one: (one.at, one.on, one.item.order))
    if events:
        return _after(events)
    alone = [_unlanded(item) for item in items if not _undoes(item)] or [_unlanded(item) for item in items]
    return min(alone, key=lambda one: ORDER.index(one.state))


def standing_of(item: Item, chain: Sequence[Item]) -> Standing:
    """Where one item of a chain stands: an issue as its chain does, a pull request by itself, what became of it since
    it landed included."""
    others = [one for one in chain if one.key != item.key]
    if item.kind is ItemKind.ISSUE:
        return standing([item, *others])
    own = _event(item)
    if own is None and any(_lands(one, item) for one in others):
        return standing([item, *others])
    if own is None or not own.on:
        told = standing([item])
        instead = next((one for one in others if (event := _event(one)) and event.on), None)
        if told.state is ChangeState.ABANDONED and instead is not None:
            why = f"it was closed without landing, and {instead.key} of the same change landed"
            return told.model_copy(update={"state": ChangeState.SUPERSEDED, "why": why})
        return told
    return standing([item, *others])


ORDER = (ChangeState.OPEN, ChangeState.SUPERSEDED, ChangeState.ABANDONED, ChangeState.LANDED, ChangeState.REVERTED)


def _after(events: Sequence[_Event]) -> Standing:
    last = events[-1]
    name = last.item.key
    if last.on:
        again = "again " if any(not event.on for event in events) else ""
        told = (
            f"{name} landed {again}as {last.sha}" if last.sha else f"{name} landed {again}by its label; no commit known"
        )
        return Standing(state=ChangeState.LANDED, why=told, since=_known(last.at), landed_sha=last.sha)
    own = "its label says that it was reverted, and no commit brought it back"
    told = f"{name} took it back" if _undoes(last.item) else f"{name}: {own}"
    return Standing(state=ChangeState.REVERTED, why=told, since=_known(last.at))


def _event(item: Item) -> _Event | None:
    """What an item did to the default branch; None where it did nothing to it."""
    if item.kind is ItemKind.ISSUE or _elsewhere(item):
        return None
    labels = {label.lower() for label in item.labels}
    is_on = _landed(item, labels)
    if _undoes(item):
        return _Event(_moment(item), False, item, item.landed_sha) if is_on else None
    if "reverted" in labels and (item.state is ItemState.OPEN or item.landed_sha is None):
        return _Event(item.updated_at or _moment(item), False, item, None)
    if not is_on:
        return None
    sha = item.landed_sha or (str(item.number) if item.kind is ItemKind.COMMIT else None)
    return _Event(_moment(item), True, item, sha)


def _landed(item: Item, labels: set[str]) -> bool:
    if item.kind is ItemKind.COMMIT:
        return True
    if item.state is ItemState.OPEN:
        return False
    return item.landed_sha is not None or "merged" in labels or item.state is ItemState.MERGED


def _lands(commit: Item, item: Item) -> bool:
    """Is it a commit that says that it lands this pull request?"""
    if commit.kind is not ItemKind.COMMIT or commit.repo != item.repo:
        return False
    return landed(f"{commit.title}\n{commit.body[:READ]}", commit.repo) == item.number


def _elsewhere(item: Item) -> bool:
    """Is it for a branch of its own, as picks for a release are? A stack's base is ghstack's, and lands on main."""
    base = item.base_ref
    if item.landed_sha is not None and not (base or "").startswith(RELEASE):
        return False
    return base not in DEFAULT and not (base or "").startswith("gh/")


def _undoes(item: Item) -> bool:
    return item.title.lower().startswith(UNDONE) and relands(item.title) is None


def _unlanded(item: Item) -> Standing:
    """An item that did nothing to the default branch."""
    opened = f"{item.key} is open"
    if item.state is ItemState.OPEN:
        stale = ", marked stale" if any(label.lower() == "stale" for label in item.labels) else ""
        return Standing(state=ChangeState.OPEN, why=f"{opened}{stale}", since=item.created_at)
    if item.state is ItemState.MERGED or item.landed_sha or "Merged" in item.labels:
        why = f"{item.key} went into {item.base_ref}, which is not the default branch"
        return Standing(state=ChangeState.OPEN, why=why, since=item.closed_at)
    if item.kind is not ItemKind.ISSUE and (number := _successor(item)):
        why = f"{item.key} was closed without landing and names #{number} in its place"
        return Standing(state=ChangeState.SUPERSEDED, why=why, since=item.closed_at)
    when = f" on {rfc3339(item.closed_at)[:10]}" if item.closed_at else ""
    stale = ", as stale" if any(label.lower() == "stale" for label in item.labels) else ""
    what = "no change that fixes it is known" if item.kind is ItemKind.ISSUE else "nothing of it landed"
    return Standing(
        state=ChangeState.ABANDONED, why=f"{item.key} was closed{when}{stale}; {what}", since=item.closed_at
    )


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


def _moment(item: Item) -> datetime:
    return item.merged_at or item.closed_at or item.created_at or NEVER


def _known(moment: datetime) -> datetime | None:
    return moment if moment != NEVER else None
