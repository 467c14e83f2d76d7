"""`db backup`, `check` and `rebuild` on a real database: in use, damaged, half readable."""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import SQLModel

from bot.edges import upkeep
from bot.edges.upkeep import rebuild
from bot.pipeline import scan
from tests.fakes import Silent
from tests.sample_line import WINDOW, open_store, recorded_line, sample
from tests.typed import typed

STRAY = '{"fingerprint": "f", "kind": "reject", "reason": "r", "decided_at": "2026-11-11T00:00:00Z"}'


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder with the sample's window."""
    folder = tmp_path_factory.mktemp("upkeep")
    store = open_store(folder)
    scan(sample(), WINDOW, recorded_line(store, folder), Silent())
    store.close()
    return folder


@pytest.fixture
def state(scanned: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copy(scanned / "alignbot.db", tmp_path / "alignbot.db")
    return tmp_path


def test_every_document_is_looked_at() -> None:
    """Each table that holds documents is known with its own key, so that none is broken unseen."""
    held = {str(name): one for name, one in SQLModel.metadata.tables.items() if "document" in one.columns}
    known = {name: key.split(", ") for name, (key, _) in upkeep.DOCUMENTS.items()}
    assert known.keys() == held.keys()
    assert all(set(key) <= set(held[name].columns.keys()) for name, key in known.items())


def rows(path: Path) -> dict[str, int]:
    """Rows by table."""
    with closing(sqlite3.connect(path)) as database:
        names = [one[0] for one in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}


def damaged(state: Path, statement: str) -> None:
    """Change the database behind alignbot's back."""
    with closing(sqlite3.connect(state / "alignbot.db")) as database:
        database.execute(statement)
        database.commit()


def test_a_database_in_order(state: Path) -> None:
    """A check of a good database finds nothing, counts its rows and leaves every byte."""
    before = (state / "alignbot.db").read_bytes()
    done = typed(state, "db", "check", "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["state"], told["faults"]) == (0, "ok", [])
    assert told["rows"]["item"] == 18
    assert (state / "alignbot.db").read_bytes() == before


def test_a_backup_is_whole_while_others_write(state: Path) -> None:
    """A copy that is made while a transaction is open holds what was committed, and is a database in order."""
    with closing(sqlite3.connect(state / "alignbot.db", isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM item")
        done = typed(state, "db", "backup", "--output", str(state / "copy.db"))
        writer.execute("ROLLBACK")
    assert done.returncode == 0, done.stderr
    assert rows(state / "copy.db") == rows(state / "alignbot.db")
    (state / "other").mkdir()
    shutil.move(state / "copy.db", state / "other" / "alignbot.db")
    assert typed(state / "other", "db", "check").returncode == 0


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_a_backup_replaces_files_only(make: "Callable[[Path], None]", state: Path) -> None:
    """A folder, a pipe or a device in the copy's place is refused by name and stays what it is."""
    place = state / "copy.db"
    make(place)
    done = typed(state, "db", "backup", "--output", str(place))
    assert (done.returncode, done.stderr) == (2, f"alignbot: {place} is no file: give another --output\n")
    assert not place.is_file()


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE finding SET document = '{}'", "window: Field required"),
        ("UPDATE item SET document = 'x' WHERE key LIKE '%204496'", "Invalid JSON"),
        ("UPDATE alembic_version SET version_num = '0001'", "its schema is 0001"),
        (f"INSERT INTO decision VALUES ('f', 1, 'reject', 'x', '{STRAY}')", "decision of f: there is no such finding"),
    ],
)
def test_what_is_wrong_is_named(statement: str, told: str, state: Path) -> None:
    """Each kind of damage is told with the row that has it, with exit code 1."""
    damaged(state, statement)
    done = typed(state, "db", "check")
    assert done.returncode == 1
    assert told in done.stdout


def test_a_rebuild_keeps_what_can_be_read(state: Path) -> None:
    """One damaged row is lost and named, all others are kept, the old file stays, and the new one is in order."""
    before = rows(state / "alignbot.db")
    damaged(state, "UPDATE item SET document = 'x' WHERE key LIKE '%204496'")
    done = typed(state, "db", "rebuild", "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, len(told["lost"])) == (3, 1)
    assert "item row" in told["lost"][0]
    assert rows(state / "alignbot.db") == {**before, "item": before["item"] - 1}
    assert rows(Path(told["aside"])) == before
    assert typed(state, "db", "check").returncode == 0


def test_a_file_that_was_cut(state: Path) -> None:
    """Of a file without its second half a check says so; a rebuild either keeps rows or leaves the file as it was."""
    path = state / "alignbot.db"
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    assert typed(state, "db", "check").returncode == 1
    done = typed(state, "db", "rebuild")
    assert "Traceback" not in done.stderr
    if done.returncode == 2:
        assert path.read_bytes() == content[: len(content) // 2]
    else:
        assert done.returncode == 3
        assert typed(state, "db", "check").returncode == 0


def test_what_can_not_be_done_is_one_line(state: Path) -> None:
    """No database, the database itself as output, a folder that is none, another kind: one line and exit code 2."""
    for arguments in (
        ["backup", "--output", str(state / "alignbot.db")],
        ["backup", "--output", str(state / "none" / "copy.db")],
    ):
        refused = typed(state, "db", *arguments)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert len(refused.stderr.strip().splitlines()) == 1
    for command in (["check"], ["rebuild"], ["backup", "--output", "x.db"]):
        empty = state / "empty"
        empty.mkdir(exist_ok=True)
        assert "`alignbot db upgrade` makes one" in typed(empty, "db", *command).stderr
    assert not list(state.glob(".alignbot-*"))


def test_a_database_of_a_newer_version_stays(state: Path) -> None:
    """A check says that it is of another version, and a rebuild refuses it and leaves every byte."""
    damaged(state, "UPDATE alembic_version SET version_num = '9999'")
    before = (state / "alignbot.db").read_bytes()
    assert "it is of another alignbot, use that version" in typed(state, "db", "check").stdout
    done = typed(state, "db", "rebuild")
    assert (done.returncode, "rebuild it with that version" in done.stderr) == (2, True)
    assert (state / "alignbot.db").read_bytes() == before


def test_a_rebuild_that_is_killed_leaves_a_database(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ended right before the new file takes its place, the old one is still there under its name, whole."""
    path, before = state / "alignbot.db", rows(state / "alignbot.db")
    replaced = Path.replace

    def dies(self: Path, target: Path) -> Path:
        if target == path:
            raise KeyboardInterrupt
        return replaced(self, target)

    monkeypatch.setattr(Path, "replace", dies)
    with pytest.raises(KeyboardInterrupt):
        rebuild(path, datetime(2026, 11, 12, tzinfo=UTC))
    assert rows(path) == before


def test_a_rebuild_keeps_what_was_not_written_back(state: Path) -> None:
    """Rows that are only in the write-ahead log of a database in use are in the new one, and in the old one aside."""
    path = state / "alignbot.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute(f"INSERT INTO decision VALUES ('f', 1, 'reject', 'x', '{STRAY}')")
        other.commit()
        told = rebuild(path, datetime(2026, 11, 12, tzinfo=UTC))
        assert rows(path)["decision"] == rows(told.aside)["decision"] == 1
