"""Where a window lies in the sequence of numbers, as far as is known, and which numbers show the rest of it.

Numbers are given in order of creation, give or take SLACK. Two things disturb that order. An issue that was
transferred in has a new number and its old date: it looks older than it is, never younger, so a late date proves
that all numbers above are late too, and an early one proves it of those below only for a pull request, which nobody
can transfer. A discussion may show the date of its conversion, so its date proves nothing by itself.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise

from bot.model import Fate, FateKind, Window

SLACK = timedelta(seconds=2)
"""By how much the dates of two numbers may be in the wrong order."""
GUARD = 3
"""Dated numbers outside of the window that are wanted on either side of it. Numbers that are gone don't count."""
RUN = 100
"""Early dates in a row that stand for a pull request's, where a repository has none."""
STRIDE = 32
"""Unanswered numbers in a row that are asked one by one; a longer row is halved first."""
BEYOND = 12
"""Numbers above the last dated one that are asked where the newest number isn't known."""

ITEMS = frozenset({FateKind.ISSUE, FateKind.PULL})


@dataclass(frozen=True)
class Walk:
    """Numbers looked at one after the other, away from the window."""

    to: int
    """The last of them."""
    nearest: int | None
    """The first of them with a date outside of the window."""
    settled: bool
    """Nothing that belongs to the window can lie beyond."""
    answered: int
    unanswered: tuple[int, ...]


@dataclass(frozen=True)
class Survey:
    """What is known of the sequence around a window."""

    window: Window
    known: Mapping[int, Fate]
    """Everything that was listed or asked, whatever the answer."""
    newest: int | None

    @cached_property
    def dated(self) -> dict[int, Fate]:
        """Issues and pull requests with their date, in order of number."""
        return {
            number: fate
            for number, fate in sorted(self.known.items())
            if fate.kind in ITEMS and fate.created_at is not None
        }

    @cached_property
    def ceiling(self) -> int:
        """The highest number that is looked at."""
        highest = max(self.dated, default=0)
        return max(self.newest, highest) if self.newest is not None else highest + BEYOND

    @cached_property
    def late(self) -> int | None:
        """The lowest number that is surely after the window, and with it all numbers above."""
        from_here = self.window.end + SLACK
        return next((number for number, fate in self.dated.items() if _at(fate) >= from_here), None)

    @cached_property
    def inside(self) -> tuple[int, ...]:
        """Items of the window, in order; those above `late` were transferred in afterwards and are not among them."""
        return tuple(
            number
            for number, fate in self.dated.items()
            if _at(fate) in self.window and (self.late is None or number < self.late)
        )

    @cached_property
    def lower(self) -> int:
        """Where to walk down from: the first number of the window, or where one would be."""
        if self.inside:
            return self.inside[0]
        early = (n for n, fate in self.dated.items() if _at(fate) < self.window.start and n < self._end)
        return max(early, default=0) + 1

    @property
    def _end(self) -> int:
        return self.ceiling + 1 if self.late is None else self.late

    @cached_property
    def edges(self) -> tuple[int, ...]:
        """Numbers between which every number has to be accounted for."""
        if not self.inside:
            return (self.lower - 1, self._end)
        return self.inside if self.late is None else (*self.inside, self.late)

    @cached_property
    def down(self) -> Walk:
        """The walk from below the window to numbers that are surely before it, or to where the sequence begins."""
        start = self.window.start

        def enough(outside: list[int]) -> bool:
            pulls = (n for n in outside if self.known[n].kind is FateKind.PULL)
            sure = any(_at(self.known[n]) < start - SLACK for n in pulls)
            return (sure and len(outside) >= GUARD) or len(outside) >= RUN

        walk = self._walk(range(self.lower - 1, 0, -1), [], lambda moment: moment < start, enough)
        settled = (walk.settled or walk.to <= 1) and not self._contradicts
        return replace(walk, settled=settled, nearest=walk.nearest or (0 if settled else None))

    @cached_property
    def up(self) -> Walk:
        """The walk from above the window to numbers that are surely after it, or to the newest."""
        end, begin, passed = self.window.end, self._end, list[int]()
        if self.inside and self.late is None:
            begin = self.inside[-1] + 1
        else:
            top = self.edges[-2]
            passed = [number for number, fate in self.dated.items() if top < number < begin and _at(fate) >= end]

        def enough(outside: list[int]) -> bool:
            return len(outside) >= GUARD and self.late is not None

        walk = self._walk(range(begin, self.ceiling + 1), passed, lambda moment: moment >= end, enough)
        return replace(walk, settled=walk.settled or (self.newest is not None and walk.to >= self.ceiling))

    def _walk(
        self,
        path: range,
        outside: list[int],
        is_outside: Callable[[datetime], bool],
        enough: Callable[[list[int]], bool],
    ) -> Walk:
        """Walk until enough dated numbers outside of the window are found; `outside` were, before the path begins."""
        unanswered: list[int] = []
        to = path.start - path.step
        for number in path:
            if enough(outside) or len(unanswered) >= STRIDE:
                break
            to, fate = number, self.known.get(number)
            if fate is None:
                unanswered.append(number)
            elif fate.created_at is not None and is_outside(fate.created_at):
                outside.append(number)
        answered = abs(to - path.start + path.step) - len(unanswered)
        return Walk(to, outside[0] if outside else None, enough(outside), answered, tuple(unanswered))

    @property
    def _contradicts(self) -> bool:
        """A pull request from before the window stands above what comes after it: a date is wrong."""
        early = self.window.start - SLACK
        pulls = (n for n, fate in self.dated.items() if fate.kind is FateKind.PULL and _at(fate) < early)
        return self.late is not None and max(pulls, default=0) > self.late

    @cached_property
    def answered(self) -> list[int]:
        """All known numbers in order."""
        return sorted(self.known)

    def _between(self, low: int, high: int) -> list[int]:
        return self.answered[bisect_right(self.answered, low) : bisect_left(self.answered, high)]

    def missing(self, low: int, high: int) -> int:
        """How many numbers between the two are unanswered."""
        return high - low - 1 - len(self._between(low, high))

    def longest(self, low: int, high: int) -> range:
        """The longest run of unanswered numbers between the two, the first of several."""
        runs = (range(a + 1, b) for a, b in pairwise((low, *self._between(low, high), high)))
        return max(runs, key=len)

    def unanswered(self, low: int, high: int) -> Iterator[int]:
        """Unanswered numbers between the two, in order."""
        return (number for number in range(low + 1, high) if number not in self.known)


def _at(fate: Fate) -> datetime:
    """The date of a fate that has one."""
    assert fate.created_at is not None  # noqa: S101  only those with a date stand in a sequence
    return fate.created_at
