"""Reads the target's tracker into memory: once whole, oldest first, then what was updated since.

By the connections and not by search, which lags and misses. The first reading keeps each page together with where the
next one begins, so that one which was cut short goes on there; what changes meanwhile was updated after it began, and
the sweep that follows sees it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.edges.github import documents
from bot.edges.github.limiter import Limiter
from bot.edges.github.nodes import Node, links_closing, listed
from bot.edges.github.pages import Pages, at
from bot.edges.github.sweep import KINDS, Sweep, cursor_of, nodes_of
from bot.errors import ForgeError
from bot.model import ItemState, TrackedItem, TrackerState, rfc3339
from bot.seams import Trackers

MOST_PAGES = 400
"""Pages that one refreshing reads: 40,000 threads of each kind. A larger tracker is read on by the next one."""
BATCH = 25
"""Pull requests whose files are asked for at once."""


@dataclass(slots=True)
class TrackerReading:
    """Brings the memory of one tracker up to date."""

    pages: Pages
    trackers: Trackers
    repo: str
    limiter: Limiter
    most_pages: int = MOST_PAGES

    def refresh(self) -> TrackerState:
        """How far the tracker was read now. Raises the errors of GitHub; what was read by then is kept."""
        state = self.trackers.state(self.repo)
        if state.as_of is None:
            state = self._whole(state)
        return self._changes(state, state.as_of or self.limiter.now())

    def _whole(self, state: TrackerState) -> TrackerState:
        if state.begun_at is None:
            state = TrackerState(begun_at=self.limiter.now(), cursors=dict.fromkeys(KINDS))
        before: dict[str, set[int]] = {}
        for _ in range(self.most_pages):
            if not state.cursors:
                state = TrackerState(as_of=state.begun_at)
                self.trackers.keep(self.repo, (), state)
                return state
            state = self._next(state, before)
        begun = f" (begun {rfc3339(state.begun_at)})" if state.begun_at else ""
        raise ForgeError(f"{self.repo} has more threads than are read at once{begun}: the next scan reads on")

    def _next(self, state: TrackerState, before: dict[str, set[int]]) -> TrackerState:
        """Keep one page of each kind that has more, and where the next one begins.

        Each page begins a little before the end of the last one. Where it shows nothing of that, so much was deleted
        meanwhile that something may have been passed over: the kind is read anew.
        """
        page = self._page(state.cursors)
        cursors = dict(state.cursors)
        items: list[TrackedItem] = []
        for kind in state.cursors:
            nodes = nodes_of(page[kind])
            numbers = {node["number"] for node in nodes}
            items += (_tracked(node, page["nameWithOwner"]) for node in nodes)
            cursors[kind] = cursor_of(page[kind]) or cursors[kind]
            if numbers and before.get(kind, numbers).isdisjoint(numbers):
                cursors[kind] = None
            elif not page[kind]["pageInfo"]["hasNextPage"]:
                del cursors[kind]
            before[kind] = numbers
            if cursors.get(kind, "") is None:
                del before[kind]
        moved = state.model_copy(update={"cursors": cursors})
        self.trackers.keep(self.repo, self._with_files(items), moved)
        return moved

    def _changes(self, state: TrackerState, since: datetime) -> TrackerState:
        """Keep what was updated since the last reading, in one go: half of it would look like all."""
        asked_at = self.limiter.now()
        sweep = Sweep(self.pages, self.repo, since, since, documents.TRACKER_UPDATED)
        items = {node["number"]: _tracked(node, repo) for node, repo in sweep.nodes()}
        if not sweep.torn:
            state = TrackerState(as_of=max(since, asked_at))
        self.trackers.keep(self.repo, self._with_files(list(items.values())), state)
        return state

    def _with_files(self, items: Sequence[TrackedItem]) -> list[TrackedItem]:
        """The items, open pull requests with the paths that they change."""
        wanted = [item.number for item in items if item.kind == "pull" and item.state is ItemState.OPEN]
        nothing: Node = {"repository": {}}
        paths: dict[int, tuple[str, ...]] = {}
        for batch, answer in self.pages.batched(wanted, self._paths, BATCH, alone=nothing):
            for number in batch:
                node = answer["repository"].get(f"n{number}") or {}
                found = (node.get("files") or {}).get("nodes") or ()
                paths[number] = tuple(one["path"] for one in found if one)
        return [item.model_copy(update={"files": paths.get(item.number, ())}) for item in items]

    def _paths(self, numbers: Sequence[Any]) -> Node:
        return self.pages.once(documents.paths(numbers), self._place(), "", keep=False)

    def _page(self, after: dict[str, str | None]) -> Node:
        asked: dict[str, Any] = {**self._place(), **{kind: kind in after for kind in KINDS}}
        asked |= {f"{kind}After": cursor for kind, cursor in after.items()}
        return at(self.pages.sized(documents.TRACKER, asked, "", keep=False), ("repository",))

    def _place(self) -> dict[str, str]:
        owner, _, name = self.repo.partition("/")
        return {"owner": owner, "name": name}


def _tracked(node: Node, repo: str) -> TrackedItem:
    return TrackedItem.of(listed(node, repo), links_closing(node, repo))
