"""Looks at the database and the disk as they are, and changes neither."""

import os
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, inspect, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from bot.edges.schema import first_line
from bot.resources import resource
from bot.seams import InputError, StoreError

PATIENCE_S = 5
"""How long to wait for another process's transaction, or for a connection."""


@dataclass(frozen=True, slots=True)
class Database:
    """What was seen of a database."""

    newest: str
    """The revision that this version of alignbot works with."""
    present: bool = True
    writable: bool = True
    """For all that the file system says; of a server it is not known."""
    kept: bool = True
    """False where it is in memory only."""
    revision: str | None = None
    known: bool = True
    """Is the revision one of this version's?"""
    tables: int = 0
    journal: str | None = None
    """SQLite's journal mode."""
    damage: str = ""
    """The first thing that SQLite's quick check finds."""


@dataclass(frozen=True, slots=True)
class Room:
    """A folder, or the nearest one above it that exists."""

    folder: Path
    free_bytes: int
    writable: bool


def database(place: str | Path) -> Database:
    """The database at a URL or in a SQLite file, which is neither made nor upgraded. Raises InputError, StoreError."""
    script = ScriptDirectory(str(resource("migrations")))
    newest = script.get_current_head() or ""
    url = _parsed(place)
    if url is not None and url.get_backend_name() != "sqlite":
        return _seen(_server(url), script, newest)
    name = str(place) if url is None else url.database or ":memory:"
    if name == ":memory:":
        return Database(newest=newest, present=False, kept=False)
    path = Path(name).absolute()
    if not path.exists():
        return Database(newest=newest, present=False, writable=room(path.parent).writable)
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    return _seen(_sqlite(path), script, newest, writable=writable)


def room(folder: Path) -> Room:
    """How much may be written there, and whether. Raises StoreError."""
    existing = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    try:
        free_bytes = shutil.disk_usage(existing).free
    except OSError as error:
        raise StoreError(f"{existing} can't be looked at: {error.strerror}") from error
    return Room(existing, free_bytes, existing.is_dir() and os.access(existing, os.W_OK | os.X_OK))


def _parsed(place: str | Path) -> URL | None:
    """The URL, None for a file. Its text is not repeated: it may hold a password."""
    if isinstance(place, Path):
        return None
    try:
        return make_url(place)
    except (ArgumentError, ValueError) as error:
        raise InputError("database_url is no SQLAlchemy URL, e.g. sqlite:////var/lib/alignbot/alignbot.db") from error


def _server(url: URL) -> Engine:
    try:
        return create_engine(url, poolclass=NullPool)
    except (ArgumentError, ImportError) as error:
        raise InputError(f"database_url can't be used: {first_line(error)}") from error


def _sqlite(path: Path) -> Engine:
    """An engine that leaves every file as it found it.

    A connection that may only read leaves SQLite's two files for the write-ahead log behind when it made them, one
    that may write takes them away; where they are there already, it is the other way round.
    """
    mode = "ro" if path.with_name(f"{path.name}-wal").exists() else "rw"

    def connection() -> sqlite3.Connection:
        made = sqlite3.connect(f"{path.as_uri()}?mode={mode}", uri=True, timeout=PATIENCE_S, check_same_thread=False)
        made.execute("PRAGMA query_only=ON").close()
        return made

    return create_engine("sqlite://", creator=connection, poolclass=NullPool)


def _seen(engine: Engine, script: ScriptDirectory, newest: str, *, writable: bool = True) -> Database:
    """Raises StoreError when it can't be read."""
    try:
        with engine.connect() as connection:
            revision = MigrationContext.configure(connection).get_current_revision()
            sqlite = engine.dialect.name == "sqlite"
            return Database(
                newest=newest,
                writable=writable,
                revision=revision,
                known=revision is None or revision in {one.revision for one in script.walk_revisions()},
                tables=len(inspect(connection).get_table_names()),
                journal=_told(connection, "journal_mode") if sqlite else None,
                damage=_told(connection, "quick_check(1)").removeprefix("ok") if sqlite else "",
            )
    except (SQLAlchemyError, CommandError) as error:
        raise StoreError(f"the database can't be opened: {first_line(error)}") from error
    finally:
        engine.dispose()


def _told(connection: Connection, pragma: str) -> str:
    return str(connection.exec_driver_sql(f"PRAGMA {pragma}").scalar_one())
