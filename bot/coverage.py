"""Reading windows without following their cases: how all of them stand, filling the holes, collecting an archive."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from heapq import merge
from itertools import islice
from pathlib import Path

from bot import wire
from bot.edges.archive import check_name, write_archive
from bot.edges.outputs import check_folder
from bot.edges.readings import SqlReadings
from bot.edges.store import SqlStore
from bot.errors import EdgeError, ForgeError, InputError
from bot.model import Reading, ReadingState, Window
from bot.model.reading import other_repository
from bot.pipeline import gather
from bot.progress import progress_on_stderr
from bot.scanning import working
from bot.settings import Settings
from bot.windows.cut import SECOND, boundary, due, gaps, pieces

SCHEDULE = "schedule"
"""Watermark: the first moment that has to be read."""
AT_MOST = 1_000
"""Windows that are missing which are told, or read, at a time: the oldest."""
NONE: Mapping[Window, str] = {}


@dataclass(frozen=True, slots=True)
class Standing:
    """How a window stands."""

    window: Window
    reading: Reading | None
    """None: it was never read."""
    scans: Mapping[str, str]
    """Device -> state of its scan: `running`, `done`, `held`, or `stale` when something changed since."""
    failed: str = ""
    """Why it could not be read to its end just now, or not in detail."""

    @property
    def whole(self) -> bool:
        """Is there nothing left to read?"""
        return not self.failed and self.reading is not None and self.reading.state is ReadingState.CLOSED


def every(settings: Settings) -> list[Standing]:
    """All windows that were read or scanned, and the holes between them, oldest first."""
    with wire.store(settings) as store:
        read = {one.window for one in SqlReadings(store.engine).all()}
        scanned = {one.window for one in store.windows()}
        return _standing(store, {*read, *scanned, *missing(settings, store, wire.SystemClock().now())})


def lacking(settings: Settings) -> list[Standing]:
    """The windows that are over and not closed, oldest first."""
    with wire.store(settings) as store:
        return _standing(store, missing(settings, store, wire.SystemClock().now()))


def missing(settings: Settings, store: SqlStore, now: datetime) -> tuple[Window, ...]:
    """The windows that are to be read next, oldest first: what no closed window covers though it has to be read.

    That is everything since `windows.start`, or since the daemon began, until what is over by now; where there is
    neither, what lies between the windows that were read by hand. And what was opened by hand and is not closed.
    """
    known, windows = SqlReadings(store.engine).all(), settings.windows
    _same_repository(settings, known)
    start = _start(settings, store)
    closed = [one.window for one in known if one.state is ReadingState.CLOSED]
    opened = [one.window for one in known if one.state is ReadingState.OPEN]
    length = _length(settings)
    if start is None:
        return _by_hand(closed, [one for one in opened if one.end <= now], length)
    over = now - windows.delay
    unscheduled = (one for one in opened if one.end <= start or over < one.end <= now)
    by_hand = [one for one in unscheduled if gaps(closed, one.start, one.end)]
    told = due(closed, opened, start=start, now=now, delay=windows.delay, length=length, at_most=AT_MOST)
    return tuple(sorted((*by_hand, *told), key=_order))


def _by_hand(closed: Sequence[Window], opened: Sequence[Window], length: timedelta) -> tuple[Window, ...]:
    """Without a schedule: what was opened and is not closed, and what lies between the first window and the last."""
    known = [*closed, *opened]
    if not known:
        return ()
    holes = gaps(known, min(one.start for one in known), max(one.end for one in known))
    again = (one for one in opened if gaps(closed, one.start, one.end))
    cut = (piece for hole in holes for piece in pieces(hole, length))
    return tuple(islice(merge(sorted(again, key=_order), cut, key=_order), AT_MOST))


def _order(window: Window) -> tuple[datetime, datetime]:
    return window.start, window.end


def _same_repository(settings: Settings, known: Iterable[Reading]) -> None:
    """Raises InputError when windows of another repository are in the store: they prove nothing for this one."""
    for one in known:
        for section, repo in (("upstream", one.upstream), ("target", one.target)):
            configured = getattr(settings, section).repo
            if repo and repo.lower() != configured.lower():
                raise InputError(other_repository(repo, configured, section))


def _start(settings: Settings, store: SqlStore) -> datetime | None:
    """The first moment that has to be read: `windows.start`, else where the daemon began; None before that."""
    if settings.windows.start is not None:
        return datetime.combine(settings.windows.start, time(), UTC)
    return SqlReadings(store.engine).watermark(SCHEDULE)


def begin_schedule(settings: Settings, store: SqlStore, github: wire.GitHub) -> None:
    """Remember, once, that windows are due from the last one that is over: a schedule has to begin somewhere.

    Over by GitHub's clock: ours may be years off at a machine's first start, and this is never taken back.
    """
    readings, length = SqlReadings(store.engine), _length(settings)
    if settings.windows.start is None and readings.watermark(SCHEDULE) is None:
        github().rest.budgets()  # costs nothing, and tells the time
        now = github().limiter.now()
        readings.raise_watermark(SCHEDULE, boundary(now - settings.windows.delay, length) - length)


def _length(settings: Settings) -> timedelta:
    """How long a window is. Raises InputError for what GitHub's times can't tell apart."""
    length = settings.windows.length
    if length % SECOND:
        raise InputError(f"setting 'windows.length': a window is whole seconds long, not {length.total_seconds():g} s")
    return length


def backfill(settings: Settings, github: wire.GitHub) -> list[Standing]:
    """Read what is missing, oldest first. One that can't be read for now stays open, and the next is tried."""
    failed: dict[Window, str] = {}
    with working(settings) as store:
        wanted = missing(settings, store, wire.SystemClock().now())
        for window in wanted:
            try:
                _read(settings, window, store, github)
            except EdgeError as error:
                failed[window] = str(error)
        return _standing(store, wanted, failed)


def collect(settings: Settings, window: Window, output: Path, github: wire.GitHub) -> Standing:
    """Write a window as an archive that replays without network. Raises InputError before anything is read.

    A window whose numbers don't add up yet is written too, and its window file says so. One that GitHub doesn't let be
    read to its end, details and all, leaves no file.
    """
    check_name(output)
    _check_place(output)
    with working(settings) as store:
        try:
            reading = _read(settings, window, store, github)
        except ForgeError as error:
            return _standing(store, [window], {window: str(error)})[0]
        write_archive(output, store.items(window), reading, window, reading.heads)
        return _standing(store, [window])[0]


def _check_place(output: Path) -> None:
    """Make the folder, and see whether the archive can be written there. Raises InputError."""
    if output.is_dir():
        raise InputError(f"{output} is a folder: name a file in it")
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{output.parent} can't be made: {error.strerror}; give another --output") from error
    check_folder(output.parent)


def _read(settings: Settings, window: Window, store: SqlStore, github: wire.GitHub) -> Reading:
    """Read a window with the details that its candidates need, all into the store."""
    source = wire.window_source(settings, window, store, github)
    with progress_on_stderr() as progress:
        progress.note(f"reading {window}")
        gather(source, window, wire.line(settings, "cpu", store, unsandboxed=False), progress)
    return source.reading()


def _standing(store: SqlStore, windows: Iterable[Window], failed: Mapping[Window, str] = NONE) -> list[Standing]:
    """How these windows stand, oldest first."""
    readings = {one.window: one for one in SqlReadings(store.engine).all()}
    scans: dict[Window, dict[str, str]] = {}
    for one in store.windows():
        scans.setdefault(one.window, {})[one.device] = one.state
    ordered = sorted(windows, key=lambda window: (window.start, window.end))
    return [Standing(one, readings.get(one), scans.get(one, {}), failed.get(one, "")) for one in ordered]
