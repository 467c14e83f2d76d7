"""Reading windows without following their cases: how all of them stand, filling the holes, collecting an archive."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time
from pathlib import Path

from bot import wire
from bot.edges.archive import check_name, write_archive
from bot.edges.github.limiter import Spent
from bot.edges.outputs import check_folder
from bot.edges.readings import SqlReadings
from bot.edges.store import SqlStore
from bot.errors import EdgeError
from bot.model import Reading, ReadingState, Window
from bot.pipeline import gather
from bot.progress import progress_on_stderr
from bot.scanning import working
from bot.settings import Settings
from bot.windows.cut import boundary, due

SCHEDULE = "schedule"
"""Watermark: the first moment that has to be read."""
SHOWN = 1_000
"""Windows that are told at most; a backfill takes them in turn."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a window stands."""

    window: Window
    reading: Reading | None
    """None: it was never read."""
    scans: Mapping[str, str]
    """Device -> `running`, `done` or `held`."""


def every(settings: Settings) -> list[Standing]:
    """All windows that were read or scanned, and the holes between them, oldest first."""
    with wire.store(settings) as store:
        read = {one.window for one in SqlReadings(store.engine).all()}
        scanned = {one.window for one in store.windows()}
        found = {*read, *scanned, *missing(settings, store, wire.SystemClock().now())}
        return [_standing(store, window) for window in sorted(found, key=lambda one: (one.start, one.end))]


def gaps(settings: Settings) -> list[Standing]:
    """The windows that are over and not closed, oldest first."""
    with wire.store(settings) as store:
        return [_standing(store, window) for window in missing(settings, store, wire.SystemClock().now())]


def missing(settings: Settings, store: SqlStore, now: datetime) -> tuple[Window, ...]:
    """The windows that are to be read next: over, not closed, and after the first moment that has to be read."""
    readings = SqlReadings(store.engine)
    start = first_moment(settings, readings)
    if start is None:
        return ()
    known = readings.all()
    return due(
        [one.window for one in known if one.state is ReadingState.CLOSED],
        [one.window for one in known if one.state is ReadingState.OPEN],
        start=start,
        now=now,
        delay=settings.windows.delay,
        length=settings.windows.length,
        at_most=SHOWN,
    )


def first_moment(settings: Settings, readings: SqlReadings) -> datetime | None:
    """`windows.start`, else where the daemon began, else the earliest window that was read; None before all that."""
    if settings.windows.start is not None:
        return datetime.combine(settings.windows.start, time(), UTC)
    begun = readings.watermark(SCHEDULE)
    return begun or next((one.window.start for one in readings.all()), None)


def begin_schedule(settings: Settings, readings: SqlReadings, now: datetime) -> None:
    """Remember, once, that windows are due from the last one that is over: a schedule has to begin somewhere."""
    if readings.watermark(SCHEDULE) is None:
        length = settings.windows.length
        readings.raise_watermark(SCHEDULE, boundary(now - settings.windows.delay, length) - length)


def backfill(settings: Settings) -> Iterator[Standing]:
    """Read what is missing, oldest first. One that GitHub doesn't let be read stays open, and the next is tried."""
    with working(settings) as (store, github):
        for window in missing(settings, store, wire.SystemClock().now()):
            _read(settings, window, store, github)
            yield _standing(store, window)


def collect(settings: Settings, window: Window, output: Path) -> tuple[Standing, Mapping[str, Spent]]:
    """Write a window as an archive that replays without network. Raises InputError before anything is read.

    A window that is open is written too, as far as it is known, and its window file says so; one that can't be read
    at all leaves no file.
    """
    check_name(output)
    check_folder(output.parent)
    with working(settings) as (store, github):
        reading = _read(settings, window, store, github)
        if reading.proof is not None:
            write_archive(output, store.items(window), reading, window, reading.heads)
        return _standing(store, window), github.spent


def _read(settings: Settings, window: Window, store: SqlStore, github: wire.GitHub) -> Reading:
    """Read a window with the details that its candidates need, all into the store."""
    source = wire.window_source(settings, window, store, github)
    line = wire.line(settings, "cpu", store, unsandboxed=False)
    with progress_on_stderr() as progress:
        progress.note(f"reading {window}")
        try:
            gather(source, window, line, progress)
        except EdgeError as error:
            progress.note(f"{window} stays open: {error}")
    return source.reading()


def _standing(store: SqlStore, window: Window) -> Standing:
    scans = {one.device: one.state for one in store.windows() if one.window == window}
    return Standing(window, SqlReadings(store.engine).load(window), scans)
