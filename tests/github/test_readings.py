"""What was read, and how far: pages as they came, readings that stay closed, watermarks that never go back."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from bot.edges.readings import SqlReadings
from bot.edges.store import SqlStore
from bot.model import FrozenHeads, Proof, Reading, ReadingState, Window
from bot.seams import StoreError
from tests.github.windowed import DAY, MORNING, SETTLED, START, database

HEADS = FrozenHeads(upstream="a" * 40, target="b" * 40)
WHOLE = Proof(before=0, at_newest=True)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    """A new store."""
    with closing(database(tmp_path)) as opened:
        yield opened


@pytest.fixture
def readings(store: SqlStore) -> SqlReadings:
    """Its readings."""
    return SqlReadings(store.engine)


def opened(window: Window = DAY, why: str = "unread") -> Reading:
    """A reading that is open."""
    return Reading(window=window, heads=HEADS, opened_at=MORNING, why=why)


CLOSED = Reading(
    window=DAY,
    heads=HEADS,
    opened_at=MORNING,
    state=ReadingState.CLOSED,
    proof=WHOLE,
    closed_at=SETTLED,
    counts={"issue": 1},
)


def test_a_reading_comes_back_as_it_was(readings: SqlReadings) -> None:
    """Open or closed, to the second; of exactly its window and no other."""
    assert readings.load(DAY) is None
    readings.save(opened())
    assert readings.load(DAY) == opened()
    readings.save(CLOSED)
    assert readings.load(DAY) == CLOSED
    assert readings.load(Window(start=DAY.start, end=DAY.end + timedelta(seconds=1))) is None


def test_a_closed_reading_stays_closed(readings: SqlReadings) -> None:
    """Whoever still believes it open, for instance another process, changes nothing."""
    readings.save(CLOSED)
    readings.save(opened(why="it was forgotten"))
    readings.save(CLOSED.model_copy(update={"counts": {"issue": 99}}))
    assert readings.load(DAY) == CLOSED


def test_all_readings_oldest_first(readings: SqlReadings) -> None:
    """By their windows, not by when they were opened."""
    days = [Window(start=START + timedelta(days=n), end=START + timedelta(days=n + 1)) for n in (2, 0, 1)]
    half = Window(start=START, end=START + timedelta(hours=12))
    for window in (*days, half):
        readings.save(opened(window))
    assert [one.window for one in readings.all()] == [half, days[1], days[2], days[0]]


@pytest.mark.parametrize("body", [b"", b"{}", b"\x00\xff" * 1_000, b"x" * 5_000_000])
def test_a_page_comes_back_byte_for_byte(readings: SqlReadings, body: bytes) -> None:
    """Under its key and its window alone; a second one replaces it."""
    assert readings.page(DAY, "key") is None
    readings.keep_page(DAY, "key", b"before", MORNING)
    readings.keep_page(DAY, "key", body, MORNING)
    assert readings.page(DAY, "key") == body
    assert readings.page(DAY, "other") is None
    assert readings.page(Window(start=DAY.start, end=DAY.end + timedelta(seconds=1)), "key") is None


@pytest.mark.parametrize("damage", ["body = x'00'", "body = substr(body, 1, length(body) - 3)", "sha256 = 'a'"])
def test_a_damaged_page_is_told(tmp_path: Path, damage: str) -> None:
    """It is an error and not an answer."""
    with closing(database(tmp_path)) as store:
        SqlReadings(store.engine).keep_page(DAY, "key", b"a page of some length" * 99, MORNING)
    with closing(sqlite3.connect(tmp_path / "alignbot.db")) as connection, connection:
        connection.execute(f"UPDATE page SET {damage}")  # noqa: S608
    with closing(database(tmp_path)) as store, pytest.raises(StoreError, match=r"page key of .* is damaged"):
        SqlReadings(store.engine).page(DAY, "key")


def test_watermarks_never_go_back(readings: SqlReadings) -> None:
    """Each by its own name; fractions of a second count."""
    assert readings.watermark("sweep a/b") is None
    readings.raise_watermark("sweep a/b", MORNING)
    readings.raise_watermark("sweep a/b", START)
    readings.raise_watermark("schedule", START)
    assert readings.watermark("sweep a/b") == MORNING
    later = MORNING + timedelta(microseconds=1)
    readings.raise_watermark("sweep a/b", later)
    assert readings.watermark("sweep a/b") == later
    assert readings.watermark("schedule") == START


def test_errors_of_the_database_are_ours(store: SqlStore, readings: SqlReadings) -> None:
    """One line, of the kind that may be asked again."""
    with store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE page")
    with pytest.raises(StoreError, match="the database failed: no such table: page"):
        readings.page(DAY, "key")
    with pytest.raises(StoreError, match="the database failed"):
        readings.keep_page(DAY, "key", b"", MORNING)
