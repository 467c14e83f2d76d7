"""Connecting to the database, and bringing its schema up to date with Alembic: all of it or nothing."""

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import URL, Engine, event, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlmodel import create_engine

from bot.resources import resource
from bot.seams import InputError, StoreError

PATIENCE_S = 30
"""How long a statement waits for another process's transaction; ours take milliseconds."""


def connected(place: str | Path) -> Engine:
    """An engine for a URL or a SQLite file, whose folder is made. Raises InputError."""
    try:
        parsed = URL.create("sqlite", database=str(place)) if isinstance(place, Path) else make_url(place)
        sqlite = parsed.get_backend_name() == "sqlite"
        if sqlite and parsed.database not in (None, "", ":memory:"):
            Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(parsed, connect_args={"timeout": PATIENCE_S} if sqlite else {})
    except (ArgumentError, ImportError) as error:
        raise InputError(f"database_url can't be used: {first_line(error)}") from error
    except OSError as error:
        raise InputError(
            f"the state folder can't be made: {error.filename}: {error.strerror}; set ALIGNBOT_STATE"
        ) from error
    if sqlite:
        event.listen(engine, "connect", _prepare_sqlite)
    return engine


def upgrade(engine: Engine) -> None:
    """Bring the schema to the newest revision. Raises StoreError, also for a database of a newer alignbot.

    All revisions are one transaction, so that a kill leaves none half done. It takes the write lock before it looks
    again, so that of several processes one upgrades and the others find it done. A current schema is only read.
    """
    config = AlembicConfig()
    config.set_main_option("script_location", str(resource("migrations")))
    try:
        with engine.connect() as connection:
            newest = ScriptDirectory.from_config(config).get_current_head()
            if MigrationContext.configure(connection).get_current_revision() == newest:
                return
            if engine.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            connection.commit()
    except CommandError as error:
        raise StoreError(
            f"the database is of another alignbot: {first_line(error)}; use that version, or another state folder"
        ) from error
    except SQLAlchemyError as error:
        raise StoreError(f"the database can't be opened: {first_line(error)}") from error


def first_line(error: Exception) -> str:
    """What a driver says of an error, without SQLAlchemy's further lines."""
    return str(getattr(error, "orig", None) or error).strip().splitlines()[0]


def _prepare_sqlite(connection: sqlite3.Connection, _: Any) -> None:
    """Survive a kill at any point (WAL, full sync) and hold foreign keys; transactions are opened by us."""
    connection.isolation_level = None
    with suppress(sqlite3.OperationalError):  # SQLite won't wait here; who holds the file switches it, or the next one
        connection.execute("PRAGMA journal_mode=WAL").close()
    for pragma in ("synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()
