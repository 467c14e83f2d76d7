"""What is to be done again: takes in what a sweep saw, and names the scans that are not at their end.

An item that was read before is renewed, and its windows' scans are due again. One that is new to a window which was
closed without it (transferred in, or hidden until now) gets its place: the proof was true when it was given, and
nothing may be lost by that.
"""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from bot.edges.tables import CaseRow, ItemRow, ReadingRow, ScanRow
from bot.edges.transactions import read, stamp, writing
from bot.model import Item, ReadingState, Window

LISTED = ("title", "body", "labels", "state", "author", "closed_at", "merged_at", "base_ref", "head_ref", "head_sha")
"""What a listing tells and a stage may read."""


def renew(engine: Engine, items: Iterable[Item]) -> int:
    """Renew items, each with its windows in one transaction. How many had changed in a way that matters."""
    return sum(_renewed(engine, item) for item in items)


def unfinished(engine: Engine, device: str, now: datetime) -> list[Window]:
    """Windows whose scan for a device is not at its end: cut short, held, stale, or with a case to look at again."""
    scans = select(ScanRow.window).where(ScanRow.device == device, ScanRow.state != "done")
    again = select(CaseRow.window).where(CaseRow.device == device, col(CaseRow.look_again_at) <= stamp(now))
    unscanned = select(ReadingRow.window).where(
        col(ReadingRow.window).not_in(select(ScanRow.window).where(ScanRow.device == device))
    )
    with Session(engine) as session:
        found = {window for query in (scans, again, unscanned) for window in session.exec(query)}
    return [Window.parse(window) for window in found]


def _renewed(engine: Engine, item: Item) -> bool:
    with writing(engine) as session:
        rows = session.exec(select(ItemRow).where(ItemRow.key == item.key)).all()
        changed = [row for row in rows if _matters(session, row, item)]
        if not rows:
            changed = _late(session, item)
        for row in changed:
            for scan in session.exec(select(ScanRow).where(ScanRow.window == row.window)):
                scan.state = "stale"
                session.add(scan)
        return bool(changed)


def _matters(session: Session, row: ItemRow, item: Item) -> bool:
    """Write what is newer. It matters when a listed field differs, or when details were read that may differ now."""
    kept = read(Item, row.key, row.document)
    if kept.updated_at is not None and item.updated_at is not None and item.updated_at <= kept.updated_at:
        return False
    same = all(getattr(kept, name) == getattr(item, name) for name in LISTED)
    if same and not row.detailed:
        return False
    fresh = {name: getattr(item, name) for name in (*LISTED, "updated_at")}
    row.document, row.detailed = kept.model_copy(update=fresh).model_dump_json(), False
    session.add(row)
    return True


def _late(session: Session, item: Item) -> list[ItemRow]:
    """Rows for an item that a closed window should hold and doesn't."""
    if item.created_at is None:
        return []
    created = stamp(item.created_at)
    closed = select(ReadingRow.window).where(
        ReadingRow.state == ReadingState.CLOSED, col(ReadingRow.starts_at) <= created, col(ReadingRow.ends_at) > created
    )
    rows = [
        ItemRow(window=window, key=item.key, kind=item.kind.value, document=item.model_dump_json())
        for window in session.exec(closed)
    ]
    session.add_all(rows)
    return rows
