"""What is to be done again: takes in what a sweep saw, and names the scans that are not at their end.

An item that was read before is renewed, and its windows' scans are due again. One that is new to a window which was
closed without it (transferred in, or hidden until now) gets its place: the proof was true when it was given, and
nothing may be lost by that. A window that is still being read has pages from before the change: it learns of it.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from bot.edges.readings import ADOPTED, CHANGED, SqlReadings
from bot.edges.tables import CaseRow, ItemRow, ReadingRow, ScanRow
from bot.edges.transactions import ours, read, stamp, writing
from bot.model import Case, Item, OutcomeKind, Reading, ReadingState, Window

LISTED = (
    *("title", "body", "labels", "state", "state_reason", "author"),
    *("closed_at", "merged_at", "base_ref", "head_ref", "head_sha"),
)
"""What a listing tells and a stage may read."""


class _Seen(NamedTuple):
    """Of a swept item what the windows that are being read have to know."""

    number: int
    created_at: datetime
    updated_at: datetime


@ours
def renew(engine: Engine, items: Iterable[Item]) -> int:
    """Renew items, each with its windows in one transaction. How many had changed in a way that matters."""
    changed, seen = 0, dict[str, _Seen]()
    for item in items:
        changed += _renewed(engine, item)
        if isinstance(item.number, int) and item.created_at is not None and item.updated_at is not None:
            seen[item.key] = _Seen(item.number, item.created_at, item.updated_at)
    readings = SqlReadings(engine)
    for reading in readings.all():
        if reading.state is ReadingState.OPEN:
            _tell(engine, readings, reading, seen)
    return changed


def _tell(engine: Engine, readings: SqlReadings, reading: Reading, seen: Mapping[str, _Seen]) -> None:
    """Note for a window that is being read what changed of items that it has not saved yet."""
    window = reading.window
    with Session(engine) as session:
        own = select(ItemRow.key).where(ItemRow.window == str(window), col(ItemRow.outside).is_(False))
        rows = set(session.exec(own))
    strangers = [one for key, one in seen.items() if key not in rows]
    inside = [one for one in strangers if one.created_at in window]
    others = [one for one in strangers if one.created_at not in window and reading.proof is None]
    for key, told in ((ADOPTED, inside), (CHANGED, others)):
        if told:
            noted = json.loads(readings.page(window, key) or b"{}")
            noted |= {str(one.number): stamp(one.updated_at) for one in told}
            readings.keep_page(window, key, json.dumps(noted).encode(), max(one.updated_at for one in told))


@ours
def unfinished(engine: Engine, device: str, now: datetime) -> list[Window]:
    """Windows that were read and whose scan for a device is not at its end, oldest first.

    Not begun, cut short, held, stale, or with a case to look at again (but for what waits for a build: see `due`). One
    that is not over has to wait, though it was opened: the clock was wrong then.
    """
    done = select(ScanRow.window).where(ScanRow.device == device, ScanRow.state == "done")
    again = {str(case.window) for case in due(engine, device, now) if not case.waits_for_build}
    window = col(ReadingRow.window)
    chosen = select(ReadingRow.window).where(ReadingRow.ends_at <= stamp(now), window.not_in(done) | window.in_(again))
    with Session(engine) as session:
        found = session.exec(chosen.order_by(col(ReadingRow.starts_at), col(ReadingRow.ends_at))).all()
    return [Window.parse(each) for each in found]


@ours
def due(engine: Engine, device: str, now: datetime) -> list[Case]:
    """Cases whose day to look again has come, by key; one that is watched and has no such day is due at once."""
    undated = (col(CaseRow.outcome) == OutcomeKind.WATCHED) & col(CaseRow.look_again_at).is_(None)
    dated = col(CaseRow.look_again_at) <= stamp(now)
    chosen = select(CaseRow).where(CaseRow.device == device, dated | undated).order_by(col(CaseRow.key))
    with Session(engine) as session:
        return [read(Case, row.key, row.document) for row in session.exec(chosen)]


def _renewed(engine: Engine, item: Item) -> bool:
    with writing(engine) as session:
        windows = select(ReadingRow.window).union(select(ScanRow.window))  # with these there is an index for the key
        rows = session.exec(select(ItemRow).where(col(ItemRow.window).in_(windows), ItemRow.key == item.key)).all()
        changed = [row for row in rows if _matters(session, row, item)]
        changed += _late(session, item, {row.window: row for row in rows})
        for row in changed:
            for scan in session.exec(select(ScanRow).where(ScanRow.window == row.window)):
                scan.state = "stale"
                session.add(scan)
        return bool(changed)


def _matters(session: Session, row: ItemRow, item: Item) -> bool:
    """Write what is newer. It matters when a listed field differs, or when details were read that may differ now."""
    kept = read(Item, row.key, row.document)
    known, told = kept.updated_at, item.updated_at
    if known is not None and told is not None and told < known:
        return False  # a replica that is behind
    same = all(getattr(kept, name) == getattr(item, name) for name in LISTED)
    if same and told == known:
        return False
    matters = not same or row.detailed
    fresh = {name: getattr(item, name) for name in (*LISTED, "updated_at")}
    row.document, row.detailed = kept.model_copy(update=fresh).model_dump_json(), False
    session.add(row)
    return matters


def _late(session: Session, item: Item, known: Mapping[str, ItemRow]) -> list[ItemRow]:
    """Rows for an item that closed windows should hold as their own and don't."""
    if item.created_at is None:
        return []
    created = stamp(item.created_at)
    closed = select(ReadingRow.window).where(
        ReadingRow.state == ReadingState.CLOSED, col(ReadingRow.starts_at) <= created, col(ReadingRow.ends_at) > created
    )
    rows = []
    for window in session.exec(closed):
        row = known.get(window)
        if row is None:
            row = ItemRow(window=window, key=item.key, kind=item.kind.value, document=item.model_dump_json())
        elif not row.outside:
            continue
        row.outside = False
        rows.append(row)
    session.add_all(rows)
    return rows
