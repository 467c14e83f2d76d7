"""Which windows to read next: what no closed window covers, once it is over.

Windows come from what is closed, never from the time at which something fired: a run that came late, twice, or not at
all, and a window read by hand, leave a hole or an overlap in the cover, and the next call sees it. Moments are
counted in whole seconds, as on GitHub.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from heapq import merge
from itertools import islice

from bot.model import Window, in_utc

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
AT_MOST = 100
"""Windows that are named at a time, however far away now is."""

MONDAY = datetime(2001, 1, 1, tzinfo=UTC)
"""Lengths are counted from this midnight, so that days, parts of days and weeks begin where one looks for them."""


def covered(closed: Iterable[Window]) -> tuple[Window, ...]:
    """The same moments as few disjoint windows, in order; a second that is covered in part is not covered."""
    spans: list[tuple[datetime, datetime]] = []
    for window in sorted(closed, key=lambda window: window.start):
        if spans and window.start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], window.end)
        else:
            spans.append((window.start, window.end))
    whole = ((_second(start, up=True), _second(end)) for start, end in spans)
    return tuple(Window(start=start, end=end) for start, end in whole if start < end)


def gaps(closed: Iterable[Window], start: datetime, until: datetime) -> tuple[Window, ...]:
    """The holes in [start, until), in order, each as long as it can be."""
    start, until = _second(start), _second(until)
    inside = [window for window in covered(closed) if window.end > start and window.start < until]
    edges = [start, *(edge for window in inside for edge in (window.start, window.end)), until]
    holes = zip(edges[::2], edges[1::2], strict=True)
    return tuple(Window(start=begin, end=end) for begin, end in holes if begin < end)


def watermark(closed: Iterable[Window], start: datetime) -> datetime:
    """How far everything from `start` on is closed; `start` itself where nothing is."""
    start = _second(start)
    return next((window.end for window in covered(closed) if window.start <= start < window.end), start)


def boundary(moment: datetime, length: timedelta = DAY) -> datetime:
    """The last moment, `moment` included, at which a window of this length begins."""
    if length < SECOND or length % SECOND:
        raise ValueError(f"a window is whole seconds long, not {length}")
    moment = _second(moment)
    return moment - (moment - MONDAY) % length


def pieces(window: Window, length: timedelta = DAY) -> Iterator[Window]:
    """The window cut at every boundary that lies in it."""
    start, end = window.start, window.end
    while start < end:
        left = length - (start - boundary(start, length))
        cut = start + left if left < end - start else end
        yield Window(start=start, end=cut)
        start = cut


def due(
    closed: Iterable[Window],
    opened: Iterable[Window],
    *,
    start: datetime,
    now: datetime,
    delay: timedelta,
    length: timedelta = DAY,
    at_most: int = AT_MOST,
) -> tuple[Window, ...]:
    """The windows to read next, oldest first, disjoint, `at_most` of them.

    What is not closed in [start, now - delay) is cut at the boundaries of `length`. A piece that is not over yet waits.
    An open window that is over is resumed with the bounds that it has; where another has closed or claimed a part of
    it, only the rest counts. One that isn't over doesn't count: had the clock been wrong when it was opened, it would
    stand in the way for years.
    """
    start, now, done = _second(start), in_utc(now), covered(closed)
    if delay < timedelta(0):
        raise ValueError(f"a window is read after its end, not {-delay} before")
    if now - start < delay + SECOND:
        return ()
    over = _second(now - delay)
    resumed: list[Window] = []  # in order: what another open window leaves of one lies behind that other
    for window in sorted(opened, key=lambda window: (window.start, window.end)):
        if start < window.end <= over:
            resumed += _rest(window, start, done, resumed)
    holes = gaps((*done, *resumed), start, max(start, boundary(over, length)))
    fresh = (piece for hole in holes for piece in pieces(hole, length))
    return tuple(islice(merge(resumed, fresh, key=lambda window: window.start), max(0, at_most)))


def _rest(window: Window, start: datetime, done: Iterable[Window], resumed: Iterable[Window]) -> tuple[Window, ...]:
    """What is left of an open window: all of it, also from before `start`, unless others have a part of it."""
    taken = (*done, *resumed)
    left = gaps(taken, window.start, window.end)
    whole = len(left) == 1 and left[0] == window
    return left if whole else gaps(taken, max(start, window.start), window.end)


def _second(moment: datetime, *, up: bool = False) -> datetime:
    """The whole second at or before a moment, or at or after it."""
    floor = in_utc(moment).replace(microsecond=0)
    return floor + SECOND if up and floor != moment else floor
