"""Looking after the database file: copies while it is in use, checks of every row, and a new one from what can be read.

The tracker is the truth and the database a memory: what a rebuilt one forgot of filed issues is found again by their
marks before anything is filed.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from alembic.script import ScriptDirectory
from pydantic import ValidationError

from bot.edges.schema import connected, upgrade
from bot.edges.transactions import stamp
from bot.model import Case, Decision, Intent, Item, Observation, Reading, TrackedItem, TrackerState, Value
from bot.resources import resource
from bot.seams import InputError, StoreError

DOCUMENTS: dict[str, tuple[str, type[Value]]] = {
    "item": ("window, key", Item),
    "case": ("key", Case),
    "attempt": ("case_key, number", Case),
    "finding": ("fingerprint", Case),
    "reading": ("window", Reading),
    "decision": ("fingerprint, number", Decision),
    "intent": ("id", Intent),
    "observation": ("fingerprint, number", Observation),
    "tracked": ("repo, number", TrackedItem),
    "tracker": ("repo", TrackerState),
}
"""Table -> the columns that name a row, and what its document is."""
SHOWN = 20
"""Faults that are told one by one."""


class Checked(NamedTuple):
    """What a check saw."""

    faults: list[str]
    """At most SHOWN of them, and a line that counts the rest."""
    rows: dict[str, int]
    """Rows by table."""


class Rebuilt(NamedTuple):
    """What a rebuild did."""

    kept: dict[str, int]
    """Rows that were taken over, by table."""
    lost: list[str]
    """What could not be."""
    aside: Path
    """Where the old file is now."""


def file_of(place: str | Path) -> Path:
    """The SQLite file of a database. Raises InputError for another kind, or where there is none."""
    path = place if isinstance(place, Path) else Path(place.removeprefix("sqlite:///"))
    if not isinstance(place, Path) and not place.startswith("sqlite:///"):
        raise InputError("this database is no SQLite file: use its own server's tools")
    if not path.is_file():
        raise InputError(f"there is no database at {path}: `alignbot db upgrade` makes one")
    return path


def backup(place: str | Path, output: Path) -> int:
    """Copy a database as it is at one moment, while others may use it; its size in bytes.

    Raises InputError for what can't be read or written; what stood at `output` then stays.
    """
    source = file_of(place)
    if output.exists() and output.resolve() == source.resolve():
        raise InputError(f"{output} is the database itself: give another --output")
    if output.exists() and not output.is_file():  # a device would be replaced by the copy
        raise InputError(f"{output} is no file: give another --output")
    if not output.parent.is_dir():
        raise InputError(f"there is no folder {output.parent}: make it, or give another --output")
    partial = output.with_name(f".alignbot-{os.getpid()}.partial")
    try:
        with closing(_opened(source)) as here, closing(sqlite3.connect(partial)) as there:
            here.backup(there)
            there.execute("PRAGMA journal_mode=DELETE").close()  # one file, which can be carried away
        with partial.open("rb") as stream:
            os.fsync(stream.fileno())
        partial.replace(output)
    except (OSError, sqlite3.Error) as error:
        raise InputError(f"{source} can't be copied to {output}: {error}") from error
    finally:
        partial.unlink(missing_ok=True)
    return output.stat().st_size


def check(place: str | Path) -> Checked:
    """Look at the file, its schema and every document, and change nothing. Raises InputError where there is none."""
    faults: list[str] = []
    rows: dict[str, int] = {}
    try:
        with closing(_opened(file_of(place))) as database:
            faults += _structure(database)
            for table in DOCUMENTS:
                if _has(database, table):
                    rows[table] = database.execute(f"SELECT count(*) FROM {_quoted(table)}").fetchone()[0]
                    faults += (why for _, why in _documents(database, table) if why)
            faults += _dangling(database)
    except sqlite3.Error as error:
        faults.append(f"the file can't be read: {error}")
    more = [f"and {len(faults) - SHOWN} more"] if len(faults) > SHOWN else []
    return Checked(faults[:SHOWN] + more, rows)


def rebuild(place: str | Path, now: datetime) -> Rebuilt:
    """Make a new database of the rows that can be read, and put the old file aside. Nothing is thrown away.

    Raises InputError where there is none, StoreError where the new one can't be made; the old one then stays.
    """
    path = file_of(place)
    _refuse_newer(path)
    fresh = path.with_name(f".alignbot-{os.getpid()}.rebuilt")
    aside = path.with_name(f"{path.name}.broken-{stamp(now)[:19].replace(':', '')}")
    kept: dict[str, int] = {}
    lost: list[str] = []
    try:
        engine = connected(fresh)
        upgrade(engine)
        engine.dispose()
        with closing(_opened(path)) as old, closing(sqlite3.connect(fresh, isolation_level=None)) as new:
            new.execute("BEGIN IMMEDIATE")
            for table in _tables(new):
                kept[table] = _carry(old, new, table, lost)
            new.execute("COMMIT")
            new.execute("PRAGMA journal_mode=DELETE").close()
        _leave(path, aside)
        fresh.replace(path)  # in one step: whoever is killed here leaves the old one or the new one
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path} can't be rebuilt: {error}") from error
    finally:
        for ending in ("", "-wal", "-shm", "-journal"):
            Path(f"{fresh}{ending}").unlink(missing_ok=True)
    return Rebuilt(kept, lost, aside)


def _refuse_newer(path: Path) -> None:
    """What this version has no word for would be left behind without a word. Raises InputError."""
    try:
        with closing(_opened(path)) as database:
            revision = _revision(database)
    except sqlite3.Error:
        return
    if revision and revision not in _revisions():
        raise InputError(f"{path} is of another alignbot (its schema is {revision}): rebuild it with that version")


def _revision(database: sqlite3.Connection) -> str:
    """What the schema is; empty where it says nothing."""
    told = database.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(told[0]) if told else ""


def _revisions() -> list[str]:
    """Those that this version knows, newest first."""
    return [one.revision for one in ScriptDirectory(str(resource("migrations"))).walk_revisions()]


def _leave(path: Path, aside: Path) -> None:
    """Give the old file a second name, and what belongs to it; its first name it keeps until the new file takes it."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=1)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()  # then all of it is in one file
    for ending in ("", "-wal", "-shm"):
        there, other = Path(f"{path}{ending}"), Path(f"{aside}{ending}")
        with suppress(FileNotFoundError):
            try:
                other.hardlink_to(there)
            except PermissionError:  # a file system without second names
                shutil.copy2(there, other)
            if ending:
                there.unlink()


def _carry(old: sqlite3.Connection, new: sqlite3.Connection, table: str, lost: list[str]) -> int:
    """Take a table's rows over, those that can be read and fit; how many."""
    names = [one[1] for one in new.execute(f"PRAGMA table_info({_quoted(table)})")]
    try:
        there = [one[1] for one in old.execute(f"PRAGMA table_info({_quoted(table)})")]
        shared = [name for name in names if name in there]
        if not shared:
            return 0
        ids = [one[0] for one in old.execute(f"SELECT rowid FROM {_quoted(table)}")]
    except sqlite3.Error as error:
        lost.append(f"table {table}: {error}")
        return 0
    columns = ", ".join(map(_quoted, shared))
    marks = ", ".join("?" * len(shared))
    kept = 0
    for row_id in ids:
        try:
            row = old.execute(f"SELECT {columns} FROM {_quoted(table)} WHERE rowid = ?", (row_id,)).fetchone()
            fields = dict(zip(shared, row, strict=True))
            if why := _unreadable(table, fields.get("document")):
                raise ValueError(why)  # noqa: TRY301
            new.execute(f"INSERT INTO {_quoted(table)} ({columns}) VALUES ({marks})", tuple(row))
            kept += 1
        except (sqlite3.Error, ValueError, TypeError) as error:
            lost.append(f"{table} row {row_id}: {error}")
    return kept


def _structure(database: sqlite3.Connection) -> Iterator[str]:
    """What SQLite itself finds, and whether the schema is this version's."""
    for (told,) in database.execute(f"PRAGMA integrity_check({SHOWN})"):
        if told != "ok":
            yield str(told).replace("\n", " ")
    for table, row_id, *_ in database.execute("PRAGMA foreign_key_check"):
        yield f"{table} row {row_id} belongs to nothing"
    revision, known = _revision(database), _revisions()
    if revision != known[0]:
        cure = "`alignbot db upgrade`" if revision in {"", *known} else "it is of another alignbot, use that version"
        yield f"its schema is {revision or 'none'}, this version's is {known[0]}: {cure}"


def _documents(database: sqlite3.Connection, table: str) -> Iterator[tuple[str, str]]:
    """Each row's name, and why its document can't be read; empty where it can."""
    names, _ = DOCUMENTS[table]
    for *key, document in database.execute(f"SELECT {names}, document FROM {_quoted(table)}"):
        name = f"{table} {' '.join(map(str, key))}"
        why = _unreadable(table, document)
        yield name, f"{name}: {why}" if why else ""


def _unreadable(table: str, document: object) -> str:
    """Why a document is none of its table's; empty where it is, or where the table has none."""
    if table not in DOCUMENTS:
        return ""
    if not isinstance(document, str):
        return "it has no document"
    try:
        DOCUMENTS[table][1].model_validate_json(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc'])) or 'document'}: {first['msg']}"
    return ""


def _dangling(database: sqlite3.Connection) -> Iterator[str]:
    """What points at nothing: a word, or a thing to be written, of a finding that there isn't."""
    for table in ("decision", "intent"):
        if _has(database, table) and _has(database, "finding"):
            asked = (
                f"SELECT DISTINCT fingerprint FROM {_quoted(table)} "
                "WHERE fingerprint NOT IN (SELECT fingerprint FROM finding)"
            )
            for (fingerprint,) in database.execute(asked):
                yield f"{table} of {fingerprint}: there is no such finding"


def _has(database: sqlite3.Connection, table: str) -> bool:
    asked = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    return database.execute(asked, (table,)).fetchone() is not None


def _tables(database: sqlite3.Connection) -> list[str]:
    asked = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    return sorted(name for (name,) in database.execute(asked) if name != "alembic_version")


def _opened(path: Path) -> sqlite3.Connection:
    """To be read only."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=30)


def _quoted(name: str) -> str:
    """A name as SQL has it."""
    return '"' + name.replace('"', '""') + '"'
