"""timeline: what became of each change of a chain on the default branch: landed, taken back, brought back, by whom.

A change is a pull request with the commits that land it and its re-lands. A revert is a change of its own, and switches
only the one that it names: two fixes of one fault, or two layers of a stack, stand each by itself.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from bot.model import Item, ItemKind, ItemState, Kinship, LinkKind, Tie
from bot.stages.chain import claimed, member
from bot.stages.kin import RELEASE, commits
from bot.windows.landing import is_revert, relands

DEFAULT = ("main", "master", "viable/strict")
"""Branches that a change has landed on."""
FIXING = (Kinship.LINKED, Kinship.FIXES, Kinship.SAME_SUBJECT)
"""Kinships between an issue and what fixes it; a layer of the same stack is none."""
NEVER = datetime.min.replace(tzinfo=UTC)


class Landing(NamedTuple):
    """How an item says of itself that it is on the default branch."""

    how: str
    """What follows `landed`."""
    at: datetime | None
    sha: str | None


class Event(NamedTuple):
    """A change came onto the default branch, or was taken off it."""

    at: datetime
    """What it is sorted by, also where nobody knows when it was."""
    rank: int
    """Of what happened at one moment: a landing before its revert, a revert before what takes that back."""
    on: bool
    item: Item
    """Who did it; of a label its own item."""
    landing: Landing | None
    """None for what only a label says."""


def labelled(item: Item, name: str) -> bool:
    """Has it a label, in whatever letters?"""
    return any(label.lower() == name for label in item.labels)


def elsewhere(item: Item) -> bool:
    """Is it for a branch of its own, as picks for a release are? A stack's base is ghstack's, and lands on main."""
    base = item.base_ref or ""
    if not base or base.startswith(RELEASE):
        return bool(base)
    return item.landed_sha is None and base not in DEFAULT and not base.startswith("gh/")


def landing_of(item: Item) -> Landing | None:
    """Never from what GitHub calls merged alone: that says nothing of the branch that it went into."""
    if item.kind is ItemKind.COMMIT:
        return Landing(f"as {item.number}", item.merged_at or item.closed_at or item.created_at, str(item.number))
    if item.kind is ItemKind.ISSUE or item.state is ItemState.OPEN or elsewhere(item):
        return None
    how = None
    if item.landed_sha is not None:
        how = f"as {item.landed_sha}"
    elif labelled(item, "reverted"):
        return None
    elif labelled(item, "merged"):
        how = "by its label Merged; no commit is known"
    elif item.state is ItemState.MERGED and item.base_ref in DEFAULT:
        how = f"by GitHub's word, merged into {item.base_ref}; no commit is known"
    return Landing(how, item.merged_at or item.closed_at, item.landed_sha) if how else None


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of a chain; each is known by the key of one of its items."""

    items: Mapping[str, Item]
    change_of: Mapping[str, str]
    """Of every item but issues."""
    stack_of: Mapping[str, str]
    """Items of one stack have the same key here."""
    commits: Mapping[str, Sequence[str]]
    """Pull request -> commits that land it."""
    undone_by: Mapping[str, Sequence[str]]
    """Change -> changes that take it back, landed or not."""
    named: Mapping[str, Sequence[str]]
    """Item -> items that it takes back by name."""
    fixes_of: Mapping[str, Sequence[str]]
    """Issue -> pull requests and commits that fix it."""

    def of(self, change: str) -> list[Item]:
        """The items of a change."""
        return [item for key, item in self.items.items() if self.change_of.get(key) == change]

    def landed_once(self, item: Item) -> bool:
        """Was it on the default branch by itself, whatever became of it since?"""
        own = landing_of(item) or self._label_took(item) or item.key in self.commits
        return bool(own) or any(
            item.key in undone and landing_of(self.items[key]) for key, undone in self.named.items()
        )

    def events(self, change: str) -> list[Event]:
        """What happened to a change, in order."""
        landings = [(item, landing) for item in self.of(change) if (landing := landing_of(item))]
        first = [_on(item, one, NEVER) for item, one in landings if not relands(item.title)]
        start = min((one.at for one in first), default=NEVER)
        undoings = list(self._undoings(change))
        offs = [self._off(depth, item, one, start, landings) for depth, item, one in undoings if depth % 2]
        offs += [self._label(item) for item in self.of(change) if self._label_took(item)]
        last = max((one.at for one in offs), default=start)
        again = [_on(item, one, last, 2) for item, one in landings if relands(item.title)]
        again += [_on(item, one, last, depth) for depth, item, one in undoings if depth % 2 == 0]
        return sorted((*first, *offs, *again), key=lambda one: (one.at, one.rank, one.item.order))

    def _undoings(self, change: str) -> Iterator[tuple[int, Item, Landing]]:
        """Landed reverts (depth 1), reverts of those (2) and so on, each once."""
        seen, layer, depth = {change}, [change], 0
        while layer:
            layer = [one for known in layer for one in self.undone_by.get(known, ()) if one not in seen]
            seen.update(layer)
            depth += 1
            for item in (item for one in dict.fromkeys(layer) for item in self.of(one)):
                if landing := landing_of(item):
                    yield depth, item, landing

    def _off(
        self, depth: int, item: Item, one: Landing, start: datetime, landings: Sequence[tuple[Item, Landing]]
    ) -> Event:
        """After the landing whose commit it names, whatever the times of items say."""
        shas = [sha for sha, _ in commits(item)]
        named = [other.at for _, other in landings if other.at and other.sha and _among(other.sha, shas)]
        return Event(max([one.at or item.created_at or start, *named]), depth, False, item, one)

    def _label_took(self, item: Item) -> bool:
        """Does the label say that it was taken back, and no later landing of its own is known?"""
        if item.kind is not ItemKind.PULL or elsewhere(item) or not labelled(item, "reverted"):
            return False
        return item.state is ItemState.OPEN or (item.landed_sha is None and item.key not in self.commits)

    def _label(self, item: Item) -> Event:
        """Just after its own landing: nobody knows when, and what changed on the item since is something else."""
        own = [landing.at for key in self.commits.get(item.key, ()) if (landing := landing_of(self.items[key]))]
        return Event(max([item.created_at or NEVER, *filter(None, own)]), 1, False, item, None)


def changes(chain: Iterable[Item]) -> Changes:
    """Who is one change with whom, who takes whom back, and who fixes which issue."""
    items = {one.key: one for one in sorted(chain, key=lambda one: one.order)}
    ties = claimed(map(member, items.values())) if len(items) > 1 else []
    reverts = {key for key, item in items.items() if _takes_back(item)}
    undoings = [_undoing(tie, items) for tie in ties if tie.kinship is Kinship.REVERTS]
    again = [tie for tie in ties if tie.kinship is Kinship.RELANDS]
    undoings += [(tie.key, tie.other) for tie in again if tie.other in reverts]
    lands = [(tie.other, tie.key) for tie in ties if tie.kinship is Kinship.LANDS]
    same = _joined(items, [*lands, *((tie.key, tie.other) for tie in again if tie.other not in reverts)])
    issues = {key for key, item in items.items() if item.kind is ItemKind.ISSUE}
    fixing = [pair for tie in ties if tie.kinship in FIXING for pair in ((tie.key, tie.other), (tie.other, tie.key))]
    return Changes(
        items=items,
        change_of={key: change for key, change in same.items() if key not in issues},
        stack_of=_joined(items, [(tie.key, tie.other) for tie in ties if tie.kinship is Kinship.STACK]),
        commits=_gathered(lands),
        undone_by=_gathered((same[undone], same[one]) for one, undone in undoings if same[undone] != same[one]),
        named=_gathered(undoings),
        fixes_of=_gathered((a, b) for a, b in fixing if a in issues and b not in issues | reverts),
    )


def _on(item: Item, landing: Landing, otherwise: datetime, rank: int = 0) -> Event:
    return Event(landing.at or item.created_at or otherwise, rank, True, item, landing)


def _takes_back(item: Item) -> bool:
    """By its title, or by a link where that says nothing of it."""
    linked = any(link.kind is LinkKind.REVERTS for link in item.links)
    return item.kind is not ItemKind.ISSUE and (is_revert(item.title) or (linked and not relands(item.title)))


def _undoing(tie: Tie, items: Mapping[str, Item]) -> tuple[str, str]:
    """Who takes whom back: also the one that was taken back may say so."""
    by_other = any(link.kind is LinkKind.REVERTED_BY and link.key == tie.other for link in items[tie.key].links)
    return (tie.other, tie.key) if by_other else (tie.key, tie.other)


def _joined(keys: Iterable[str], pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """For each key one that stands for all that are joined with it."""
    of = {key: key for key in keys}
    for pair in pairs:
        kept, gone = sorted(of[key] for key in pair)
        of = {key: kept if stands == gone else stands for key, stands in of.items()}
    return of


def _gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for key, other in pairs:
        if other not in found[key]:
            found[key].append(other)
    return dict(found)


def _among(sha: str, shas: Sequence[str]) -> bool:
    return any(one.startswith(sha) or sha.startswith(one) for one in shas)
