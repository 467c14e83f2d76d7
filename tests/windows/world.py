"""A true sequence of numbers, the lists that GitHub would give of it, and someone who answers lookups."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count

from hypothesis import strategies as st

from bot.model import Fate, FateKind, Proof, Window
from bot.windows.proof import adopted, prove, questions
from bot.windows.sequence import RUN

BEGIN = datetime(2026, 11, 1, tzinfo=UTC)
ITEMS = (FateKind.ISSUE, FateKind.PULL)
GONE = (FateKind.TRANSFERRED, FateKind.DELETED, FateKind.HIDDEN)


def at(seconds: float) -> datetime:
    """A moment by its distance from the beginning of every world."""
    return BEGIN + timedelta(seconds=seconds)


def span(start: float, end: float) -> Window:
    """A window by the distance of its edges from the beginning of every world."""
    return Window(start=at(start), end=at(end))


@dataclass(frozen=True)
class World:
    """Number -> what it is, and of issues with an old date, that they came by transfer."""

    numbers: Mapping[int, Fate]
    came: frozenset[int]
    window: Window

    @property
    def newest(self) -> int:
        """The highest number given."""
        return max(self.numbers, default=0)

    def items(self, *, native: bool) -> dict[int, Fate]:
        """The issues and pull requests created in the window, with or without those that came by transfer."""
        return {
            number: fate
            for number, fate in self.numbers.items()
            if fate.kind in ITEMS and fate.created_at in self.window and not (native and number in self.came)
        }


def pull(seconds: float) -> Fate:
    """A pull request by the second of its creation."""
    return Fate(kind=FateKind.PULL, created_at=at(seconds))


def issue(seconds: float) -> Fate:
    """An issue by the second of its creation."""
    return Fate(kind=FateKind.ISSUE, created_at=at(seconds))


DAY = 86_400
BUSY = World({n: (pull if n % 2 else issue)(n * 432) for n in range(1, 20_001)}, frozenset(), span(50 * DAY, 51 * DAY))
"""A hundred days with 200 numbers each."""


@dataclass
class Count:
    """One count of a window: ask until there is nothing to ask."""

    world: World
    listed: Mapping[int, Fate]
    newest: int | None
    near: int | None = None
    silent: frozenset[int] = frozenset()
    fates: dict[int, Fate] = field(default_factory=dict)

    def rounds(self) -> Iterator[int]:
        """Answer every question truly, those of the silent numbers with `unknown`; the round, after each."""
        for turn in count(1):
            asked = questions(self.world.window, self.listed, self.fates, self.newest, self.near)
            assert sorted(set(asked) - self.fates.keys() - self.listed.keys()) == list(asked)
            if not asked:
                return
            nothing, unknown = Fate(kind=FateKind.HIDDEN), Fate(kind=FateKind.UNKNOWN)
            self.fates |= {n: unknown if n in self.silent else self.world.numbers.get(n, nothing) for n in asked}
            yield turn

    def run(self) -> "Count":
        """Answer until there is no question."""
        for _ in self.rounds():
            pass
        return self

    @property
    def complete(self) -> bool:
        """Listed and found together are what was created in the window, whatever came late aside."""
        every = self.world.items(native=False).keys()
        have = (every & self.listed.keys()) | set(self.found)
        return self.world.items(native=True).keys() <= have <= every

    @property
    def found(self) -> tuple[int, ...]:
        """What the lookups found that was not listed."""
        return adopted(self.world.window, self.listed, self.fates)

    def proof(self, *, settled: bool = True) -> Proof:
        """The proof as it stands."""
        return prove(self.world.window, self.listed, self.fates, self.newest, settled=settled)


KINDS = {"i": "issue", "p": "pull", "d": "discussion", "x": "deleted", "h": "hidden", "t": "transferred"}
BATCH = 6
"""Issues that are transferred in at a time; no world has RUN of them in a row."""


@st.composite
def worlds(draw: st.DrawFn, letters: str = "ipppdxhtTTT") -> World:
    """Bursts and lulls, dates up to two seconds out of order, batches of issues transferred in with old dates (T)."""
    numbers: dict[int, Fate] = {}
    came: set[int] = set()
    seconds = 10_000
    for letter in draw(st.lists(st.sampled_from(letters), max_size=60)):
        if letter == "T" and len(came) + BATCH >= RUN:
            continue
        for _ in range(draw(st.integers(1, BATCH) if letter == "T" else st.sampled_from((1, 1, 1, 2, 40)))):
            number = len(numbers) + 1
            seconds += draw(st.sampled_from((0, 0, 1, 2, 3, 60, 400)))
            if letter == "T":
                came.add(number)
                numbers[number] = Fate(kind=FateKind.ISSUE, created_at=at(draw(st.integers(0, seconds))))
            elif letter in "ip":
                numbers[number] = Fate(kind=FateKind(KINDS[letter]), created_at=at(seconds + draw(st.integers(0, 2))))
            elif letter == "d":  # its date may be that of its conversion, or of another repository
                numbers[number] = Fate(kind=FateKind.DISCUSSION, created_at=at(draw(st.integers(0, 2 * seconds))))
            else:
                numbers[number] = Fate(kind=FateKind(KINDS[letter]))
    start = draw(st.integers(9_000, seconds + 100))
    end = start + draw(st.sampled_from((1, 2, 5, 60, 600, 5000)))
    return World(numbers, frozenset(came), span(start, end))


@st.composite
def listings(draw: st.DrawFn, world: World) -> dict[int, Fate]:
    """A listing that misses some, none or all items of the window, and has some that lie outside of it."""
    every = sorted(world.items(native=False))
    missed = draw(st.sampled_from(("none", "some", "all")))
    kept = set() if missed == "all" else set(every)
    if missed == "some" and every:
        kept -= draw(st.sets(st.sampled_from(every)))
    others = [n for n, fate in world.numbers.items() if fate.kind in ITEMS and n not in every]
    extra = draw(st.sets(st.sampled_from(others), max_size=3)) if others else set()
    return {number: world.numbers[number] for number in kept | extra}
