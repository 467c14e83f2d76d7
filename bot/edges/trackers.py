"""Trackers: what is known of the target's issues and pull requests, in the store's database or from an archive."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from bot.edges.lines import read_items
from bot.edges.tables import TrackedRow, TrackerRow
from bot.edges.transactions import ours, read, stamp, writing
from bot.errors import InputError
from bot.model import Item, ItemKind, LinkKind, TrackedItem, TrackerState

CHUNK = 200
"""Items that are read at once."""


class SqlTrackers:
    """A Trackers over the store's database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @ours
    def state(self, repo: str) -> TrackerState:
        """How far it was read; of one that never was, nothing."""
        with Session(self._engine) as session:
            row = session.get(TrackerRow, repo.lower())
            return read(TrackerState, f"tracker {repo}", row.document) if row else TrackerState()

    def items(self, repo: str) -> Iterator[TrackedItem]:
        """All that is known, in chunks, ordered by number."""
        last = 0
        while chunk := self._after(repo, last):
            yield from chunk
            last = chunk[-1].number

    @ours
    def keep(self, repo: str, items: Iterable[TrackedItem], state: TrackerState) -> None:
        """Write what is newer, and the state, in one transaction; nothing where the iterator raises."""
        with writing(self._engine) as session:
            for item in items:
                updated_at = stamp(item.updated_at) if item.updated_at else None
                row = session.get(TrackedRow, (repo.lower(), item.number))
                if row is not None and (row.updated_at or "") > (updated_at or ""):
                    continue  # a replica that is behind
                row = row or TrackedRow(repo=repo.lower(), number=item.number, document="")
                row.updated_at, row.document = updated_at, item.model_dump_json(exclude_defaults=True)
                session.add(row)
                session.flush()
            session.merge(TrackerRow(repo=repo.lower(), document=state.model_dump_json()))

    @ours
    def _after(self, repo: str, number: int) -> list[TrackedItem]:
        chosen = select(TrackedRow).where(TrackedRow.repo == repo.lower(), TrackedRow.number > number)
        with Session(self._engine) as session:
            rows = session.exec(chosen.order_by(col(TrackedRow.number)).limit(CHUNK))
            return [read(TrackedItem, f"{repo}#{row.number}", row.document) for row in rows]


class ArchivedTracker:
    """A KnownTracker that is a file of items; those of other repositories and commits are passed over."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held: tuple[str, list[TrackedItem]] | None = None

    def state(self, repo: str) -> TrackerState:
        """It is taken to be whole as of its newest change."""
        return TrackerState(as_of=max(filter(None, map(_changed, self._read(repo))), default=None))

    def items(self, repo: str) -> Iterator[TrackedItem]:
        """Each once, ordered by number: of two with the same number the later line counts. Raises InputError."""
        return iter(self._read(repo))

    def _read(self, repo: str) -> list[TrackedItem]:
        if self._held is None or self._held[0] != repo.lower():
            found = {
                int(item.number): TrackedItem.of(item, closed_by(item))
                for item in read_items(self._path)
                if item.repo.lower() == repo.lower() and item.kind is not ItemKind.COMMIT
            }
            if not found:
                raise InputError(
                    f"{self._path} holds no issue or pull request of {repo}: give an archive of its tracker"
                )
            self._held = repo.lower(), [found[number] for number in sorted(found)]
        return self._held[1]


def closed_by(item: Item) -> tuple[int, ...]:
    """The issues of its own repository that an item's links say it fixes."""
    fixed = (link for link in item.links if link.kind is LinkKind.FIXES and link.repo.lower() == item.repo.lower())
    return tuple(sorted({link.number for link in fixed}))


def _changed(item: TrackedItem) -> datetime | None:
    """When it changed last, as far as it tells."""
    return max(filter(None, (item.updated_at, item.closed_at, item.merged_at, item.created_at)), default=None)
