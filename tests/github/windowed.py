"""A window of the double, read as a scan reads it, and the truth of the world that it is compared with."""

import functools
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import event

from bot.edges.github.access import Access
from bot.edges.github.connect import Forge, connect
from bot.edges.github.heads import Place
from bot.edges.github.pages import Pages
from bot.edges.github.source import GitHubSource
from bot.edges.github.sweep import Sweep
from bot.edges.readings import SqlReadings
from bot.edges.store import SqlStore
from bot.errors import EdgeError
from bot.model import Item, ItemKind, Reading, ReadingState, Window
from bot.seams import Clock, Readings
from bot.stages import headfile
from tests.double import Day, Double, Repository, World, landing, seed_day
from tests.double.exchange import Exchange
from tests.double.nouns import Kind

UPSTREAM, TARGET = "pytorch/pytorch", "intel/torch-xpu-ops"
PLACES = Place("upstream", UPSTREAM, "main"), Place("target", TARGET, "main")
DAY = Window.parse("2026-11-28")
MORNING = datetime(2026, 11, 29, 6, tzinfo=UTC)
"""Six hours after the day: when it is read."""
SETTLED = datetime(2026, 11, 30, 6, tzinfo=UTC)
"""More than a day after it: what is hidden now is hidden for good."""
START = DAY.start


def empty_world(now: datetime = SETTLED) -> World:
    """Both repositories, each with one commit from long before the day; numbers begin at 1."""
    world = World(now)
    for name in (UPSTREAM, TARGET):
        landing.commit(world.add_repository(name, next_number=1), "First commit", at=START - timedelta(days=30))
    return world


def day_world(items: int = 30, now: datetime = SETTLED, seed: int = 0) -> tuple[World, Day]:
    """A seeded day, thinner ones around it, and the target."""
    world = empty_world(now)
    return world, seed_day(world, START.date(), items=items, seed=seed)


def upstream(world: World) -> Repository:
    """The repository that is read."""
    found = world.repository(UPSTREAM)
    assert found is not None
    return found


def truth(world: World, window: Window = DAY) -> dict[str, str | None]:
    """Key of each item of a window -> the commit by which it landed in it, if it did. Told by the world, not by texts.

    A pull request stands for its commits; what landed twice has the last; a commit of none stands for itself.
    """
    repository = upstream(world)
    found: dict[str, str | None] = {
        f"{repository.name}#{each.number}": None
        for each in repository.threads.values()
        if each.here and each.kind is not Kind.DISCUSSION and each.created_at in window
    }
    pulls = {made.oid: each for each in repository.threads.values() for made in each.landed if each.here}
    pulls |= {each.merge_commit.oid: each for each in repository.threads.values() if each.merge_commit and each.here}
    for made in repository.commits:
        if made.committed_at in window:
            pull = pulls.get(made.oid)
            found[f"{repository.name}#{pull.number}" if pull else f"{repository.name}@{made.oid}"] = made.oid
    return found


@functools.cache
def _empty_database() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        SqlStore(path).close()
        return path.read_bytes()


def database(folder: Path) -> SqlStore:
    """A new store in a folder, or the one that is there."""
    path = folder / "alignbot.db"
    if not path.exists():
        path.write_bytes(_empty_database())
    store = SqlStore(path)
    event.listen(store.engine, "connect", _hasty)
    store.engine.dispose()
    return store


def _hasty(connection: sqlite3.Connection, _: object) -> None:
    """These tests lose processes, not power: nothing has to reach the disk."""
    connection.execute("PRAGMA synchronous=OFF").close()


@dataclass
class Windowed:
    """A double, a store, and the way between them. Waiting moves the world's clock and takes no time."""

    double: Double
    store: SqlStore
    forge: Forge
    clock: Clock
    slept: list[float] = field(default_factory=list)
    places: tuple[Place, Place] = PLACES

    @property
    def world(self) -> World:
        """The double's."""
        return self.double.world

    @property
    def readings(self) -> SqlReadings:
        """Of the store."""
        return SqlReadings(self.store.engine)

    def source(self, window: Window = DAY, readings: Readings | None = None) -> GitHubSource:
        """A source as a new process has it: it knows what the store knows."""
        kept = readings or self.readings
        return GitHubSource(window, self.places, lambda: self.forge, kept, self.store, self.clock, headfile)

    def read(self, window: Window = DAY, source: GitHubSource | None = None) -> Reading:
        """Read a window as a scan does. No item comes twice, or this fails."""
        source = source or self.source(window)
        source.heads()
        self.store.save_items(window, each_once(source.items()))
        reading = source.reading()
        self.check(reading)
        return reading

    def attempt(self, window: Window = DAY) -> tuple[Reading | None, str]:
        """Read as far as GitHub lets us: how the window stands, and the error, empty where there was none."""
        error = ""
        try:
            self.read(window)
        except EdgeError as raised:
            error = str(raised)
        reading = self.readings.load(window)
        if reading is not None:
            self.check(reading)
        return reading, error

    def check(self, reading: Reading) -> None:
        """A closed window holds as many items as it says; an open one says why it is open."""
        if reading.state is ReadingState.OPEN:
            assert reading.why
            assert "\n" not in reading.why
            return
        kinds = [item.kind for item in self.store.listed(reading.window)]
        told = {kind.value: kinds.count(kind) for kind in ItemKind if kind in kinds}
        assert told == {kind: count for kind, count in reading.counts.items() if kind != "landed"}

    def landings(self, window: Window = DAY) -> dict[str, str | None]:
        """What is stored, in the form of `truth`."""
        return {item.key: item.landed_sha for item in self.store.listed(window)}

    def items(self, window: Window = DAY) -> dict[str, Item]:
        """What is stored, by key."""
        return {item.key: item for item in self.store.listed(window)}

    def item(self, number: int, window: Window = DAY) -> Item:
        """An issue or pull request as it is stored."""
        return self.items(window)[f"{UPSTREAM}#{number}"]

    def closes_truly(self, window: Window = DAY) -> Reading:
        """Two days later nothing goes wrong any more: another reading closes the window with all that is in it."""
        self.double.rules.clear()
        self.world.clock.advance(2 * 86_400)
        reading = self.read(window)
        assert (reading.state, reading.why) == (ReadingState.CLOSED, "")
        assert self.landings(window) == truth(self.world, window)
        return reading

    def sweep(self, since: datetime) -> Sweep:
        """A sweep of what changed."""
        return Sweep(Pages(self.forge.graphql, self.readings, None, self.clock), UPSTREAM, since, since)

    def asked(self, *, since: int = 0) -> list[str]:
        """What the double was asked: GraphQL operations by name, REST by path."""
        return [each.operation or each.path.partition("?")[0] for each in self.double.log[since:]]


@contextmanager
def windowed(
    world: World,
    folder: Path,
    *,
    timeout_s: float = 20,
    token: str | None = None,
    places: tuple[Place, Place] = PLACES,
    ahead: timedelta = timedelta(0),
    **access: Any,
) -> Iterator[Windowed]:
    """Serve a world and connect to it, with the world's token unless another way is given.

    `ahead` is by how much our clock is wrong.
    """
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        world.clock.advance(seconds)

    clock = Ours(world, ahead)
    environ = {} if access else {"ALIGNBOT_GITHUB_TOKEN": token or world.token}
    with Double(world) as double, closing(database(folder)) as store:
        way = Access(api=double.url, timeout_s=timeout_s, **access)
        with connect(way, UPSTREAM, clock, environ, sleep=sleep) as forge:
            yield Windowed(double, store, forge, clock, slept, places)


@dataclass
class Ours:
    """This machine's clock: the world's, ahead of it by something."""

    world: World
    ahead: timedelta

    def now(self) -> datetime:
        """Now, as we believe."""
        return self.world.clock.now() + self.ahead


@functools.cache
def quiet_requests() -> int:
    """How many requests it takes to read the day of `day_world()` when nothing goes wrong."""
    with tempfile.TemporaryDirectory() as folder, windowed(day_world()[0], Path(folder)) as here:
        here.read()
        return here.double.requests


class Killed(BaseException):
    """The process is gone: nothing catches it."""


class Dying(SqlReadings):
    """Readings of a process that is killed at its n-th page: right after it was kept, or right before."""

    def __init__(self, store: SqlStore, pages: int, *, before: bool = False) -> None:
        super().__init__(store.engine)
        self._left, self._before = pages, before

    def keep_page(self, window: Window, key: str, body: bytes, now: datetime) -> None:
        """Keep it, and die if it is the last one."""
        self._left -= 1
        if self._left == 0 and self._before:
            raise Killed
        super().keep_page(window, key, body, now)
        if self._left == 0:
            raise Killed


def larger_than(nodes: int) -> Callable[[Exchange], bool]:
    """Requests for larger pages than this."""
    return lambda exchange: ((exchange.graphql or {}).get("variables") or {}).get("first", 0) > nodes


def each_once(items: Iterator[Item]) -> Iterator[Item]:
    """The items; fails at the second of a key."""
    seen: set[str] = set()
    for item in items:
        assert item.key not in seen, item.key
        seen.add(item.key)
        yield item


def keys(numbers: Iterable[int]) -> set[str]:
    """The keys of issues and pull requests of the upstream repository."""
    return {f"{UPSTREAM}#{number}" for number in numbers}
