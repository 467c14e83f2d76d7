"""Items in the database: a month of them passes through in chunks, so memory doesn't grow with the window.

A listing is first drained into a temporary file and only then written: who lists may himself write to this database,
and a listing takes minutes, for which nobody should have to wait.
"""

import hashlib
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Engine, delete, insert, true, update
from sqlmodel import Session, col, select

from bot.edges.tables import ItemRow
from bot.edges.transactions import ours, read, writing
from bot.model import Item, Window
from bot.seams import StoreError

CHUNK = 100
"""Items in memory at once."""
T = TypeVar("T")


class Told(NamedTuple):
    """An item as a source told it, ready to be written."""

    key: str
    kind: str
    document: str

    @property
    def sha256(self) -> str:
        """Of the document."""
        return hashlib.sha256(self.document.encode()).hexdigest()


def save_listing(engine: Engine, window: Window, items: Iterable[Item]) -> None:
    """Write the window's items, these and no others but those from outside it, in one transaction."""
    with _drained(items) as told, writing(engine) as session:
        listed: set[str] = set()
        for chunk in _chunks(told):
            listed.update(one.key for one in chunk)
            _put(session, window, chunk, outside=False)
        inside = select(ItemRow.key).where(_of(window), col(ItemRow.outside).is_(False))
        _delete(session, window, set(session.exec(inside)) - listed)


def save_details(engine: Engine, window: Window, kept: Collection[str], items: Iterable[Item]) -> None:
    """Write items with their details where they are `kept`, else as items from outside, in one transaction."""
    with _drained(items) as told, writing(engine) as session:
        for chunk in _chunks(told):
            _put(session, window, [one for one in chunk if one.key not in kept], outside=True)
            detailed = [_columns(window, one, detailed=True) for one in chunk if one.key in kept]
            if detailed:
                session.execute(update(ItemRow), detailed)


def delete_items(engine: Engine, window: Window, keys: Iterable[str]) -> None:
    """Forget items, in one transaction."""
    with writing(engine) as session:
        _delete(session, window, keys)


def stream(engine: Engine, window: Window, keys: Iterable[str] | None, *, outside: bool = True) -> Iterator[Item]:
    """All items, ordered by key, or those that the keys name, in their order. Nothing is open between two chunks."""
    for chunk in _every(engine, window, outside=outside) if keys is None else _named(engine, window, keys):
        for key, document in chunk:
            yield read(Item, key, document)


def undetailed(engine: Engine, window: Window, keys: Iterable[str]) -> list[str]:
    """Which of the keys' details were not asked for yet, in their order."""
    bare = (_of(window), col(ItemRow.detailed).is_(False))
    found: list[str] = []
    for chunk in _chunks(keys):
        with Session(engine) as session:
            missing = set(session.exec(select(ItemRow.key).where(*bare, col(ItemRow.key).in_(chunk))))
        found += [key for key in chunk if key in missing]
    return found


@contextmanager
def _drained(items: Iterable[Item]) -> Iterator[Iterator[Told]]:
    """The items, each read to its end from a file. What the iterator raises is raised before anything is written."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n") as spool:
        for item in items:
            with _temporary():
                spool.write(f"{item.key}\t{item.kind.value}\t{item.model_dump_json()}\n")
        with _temporary():
            spool.seek(0)
        yield (Told(*line.rstrip("\n").split("\t", 2)) for line in spool)


@contextmanager
def _temporary() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{tempfile.gettempdir()} can't be written: {error.strerror}; set TMPDIR") from error


def _put(session: Session, window: Window, told: Iterable[Told], *, outside: bool) -> None:
    """Write what is new or has changed; its details are to be asked for again. A row that says the same is kept."""
    wanted = {one.key: one for one in told}
    chosen = select(ItemRow.key, ItemRow.outside, ItemRow.listed_sha256, ItemRow.document)
    rows = {row[0]: row[1:] for row in session.exec(chosen.where(_of(window), col(ItemRow.key).in_(wanted)))}
    new = [_listed(window, one, outside=outside) for key, one in wanted.items() if key not in rows]
    changed = []
    for key, (was_outside, sha256, document) in rows.items():
        one = wanted[key]
        if outside and not was_outside:
            continue  # the window's own listing has the say
        if one.sha256 != sha256 and one.document != document:
            changed.append(_listed(window, one, outside=outside))
        elif was_outside and not outside:
            session.execute(update(ItemRow), [{"window": str(window), "key": key, "outside": False}])
    if new:
        session.execute(insert(ItemRow), new)
    if changed:
        session.execute(update(ItemRow), changed)


def _columns(window: Window, one: Told, *, detailed: bool) -> dict[str, Any]:
    return {"window": str(window), **one._asdict(), "detailed": detailed}


def _listed(window: Window, one: Told, *, outside: bool) -> dict[str, Any]:
    return {**_columns(window, one, detailed=False), "outside": outside, "listed_sha256": one.sha256}


def _delete(session: Session, window: Window, keys: Iterable[str]) -> None:
    for chunk in _chunks(keys):
        session.execute(delete(ItemRow).where(_of(window), col(ItemRow.key).in_(chunk)))


def _every(engine: Engine, window: Window, *, outside: bool) -> Iterator[Sequence[tuple[str, str]]]:
    """All rows in chunks, each chunk a query that begins after the last one's end."""
    last = ""
    wanted = true() if outside else col(ItemRow.outside).is_(False)
    while rows := _fetch(engine, window, wanted & (col(ItemRow.key) > last)):
        yield rows
        last = rows[-1][0]


def _named(engine: Engine, window: Window, keys: Iterable[str]) -> Iterator[Sequence[tuple[str, str]]]:
    """Chunks of the rows that the keys name."""
    for chunk in _chunks(keys):
        found = dict(_fetch(engine, window, col(ItemRow.key).in_(chunk)))
        yield [(key, found[key]) for key in chunk if key in found]


@ours
def _fetch(engine: Engine, window: Window, which: ColumnElement[bool]) -> Sequence[tuple[str, str]]:
    chosen = select(ItemRow.key, ItemRow.document).where(_of(window), which).order_by(col(ItemRow.key)).limit(CHUNK)
    with Session(engine) as session:
        return session.exec(chosen).all()


def _of(window: Window) -> ColumnElement[bool]:
    return col(ItemRow.window) == str(window)


def _chunks(things: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(things)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk
