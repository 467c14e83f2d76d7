"""Laws of the cover: whatever was closed, by whom and in which order, no second is skipped and none is due twice."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model import Window
from bot.windows.cut import boundary, covered, due, gaps, pieces, watermark

LAW = settings(deadline=None, derandomize=True, database=None, max_examples=200)
BEGIN = datetime(2026, 11, 9, tzinfo=UTC)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def at(seconds: float) -> datetime:
    """A moment by its distance from a Monday's first."""
    return BEGIN + timedelta(seconds=seconds)


def seconds(windows: Iterable[Window]) -> list[datetime]:
    """Every second of every window."""
    return [
        window.start + timedelta(seconds=second)
        for window in windows
        for second in range(int((window.end - window.start).total_seconds()))
    ]


MOMENTS = st.integers(0, 120).map(at)
LENGTHS = st.integers(1, 40).map(lambda length: timedelta(seconds=length))
WINDOWS = st.tuples(st.integers(0, 119), st.integers(1, 60)).map(
    lambda pair: Window(start=at(pair[0]), end=at(pair[0] + pair[1]))
)
SETS = st.lists(WINDOWS, max_size=8)


@LAW
@given(SETS, MOMENTS, MOMENTS)
def test_gaps_and_closed_are_everything(closed: list[Window], start: datetime, until: datetime) -> None:
    """Each second of a span is either closed or in exactly one gap, and no two gaps could be one."""
    holes = gaps(closed, start, until)
    every = seconds([Window(start=start, end=until)]) if start < until else []
    inside = set(seconds(closed))
    assert seconds(holes) == [moment for moment in every if moment not in inside]
    assert all(before.end < after.start for before, after in pairwise(holes))


@LAW
@given(SETS)
def test_covered_is_the_same_seconds(closed: list[Window]) -> None:
    """Merged windows have the seconds of the given ones, each once, in order."""
    assert seconds(covered(closed)) == sorted(set(seconds(closed)))


@LAW
@given(WINDOWS, LENGTHS)
def test_pieces_have_every_second_once(window: Window, length: timedelta) -> None:
    """A window that is cut has each of its seconds in one piece, and only its ends are no boundaries."""
    cut = list(pieces(window, length))
    assert seconds(cut) == seconds([window])
    assert all(piece.end == boundary(piece.end, length) for piece in cut[:-1])
    assert all(boundary(piece.start, length) == boundary(piece.end - timedelta(seconds=1), length) for piece in cut)


@LAW
@given(SETS, MOMENTS)
def test_the_watermark_passes_no_hole(closed: list[Window], start: datetime) -> None:
    """Every second from the start to the watermark is closed, and the one at the watermark is not."""
    mark = watermark(closed, start)
    assert mark >= start
    assert gaps(closed, start, mark) == ()
    assert mark not in set(seconds(closed))


@LAW
@given(SETS, SETS, MOMENTS, MOMENTS, LENGTHS, LENGTHS)
def test_due_windows_are_open_and_over(
    closed: list[Window], opened: list[Window], start: datetime, now: datetime, delay: timedelta, length: timedelta
) -> None:
    """What is due is disjoint, in order, not closed, over since the delay, and all of the hole up to a boundary."""
    windows = due(closed, opened, start=start, now=now, delay=delay, length=length, at_most=1000)
    found = seconds(windows)
    assert found == sorted(set(found))
    assert not set(found) & set(seconds(closed))
    assert all(window.end <= now - delay for window in windows)
    assert set(seconds(gaps(closed, start, boundary(now - delay, length)))) <= set(found)
    untouched = [window for window in windows if window not in opened]
    assert all(moment >= start for moment in seconds(untouched))


@LAW
@given(SETS, WINDOWS, MOMENTS, MOMENTS, LENGTHS)
def test_an_open_window_is_not_cut(
    closed: list[Window], window: Window, start: datetime, now: datetime, length: timedelta
) -> None:
    """An open window that is over and that nobody closed a part of is due with its own bounds."""
    windows = due(closed, [window], start=start, now=now, delay=timedelta(0), length=length, at_most=1000)
    free = not set(seconds(closed)) & set(seconds([window]))
    if start < window.end <= now and start < now and free:
        assert window in windows


@LAW
@given(SETS, SETS, MOMENTS, MOMENTS, MOMENTS, LENGTHS)
def test_due_stays_due(
    closed: list[Window], opened: list[Window], start: datetime, now: datetime, later: datetime, length: timedelta
) -> None:
    """A second that is due is due at any later time, until it is closed."""

    def at_time(moment: datetime) -> set[datetime]:
        found = due(closed, opened, start=start, now=moment, delay=timedelta(0), length=length, at_most=1000)
        return {second for second in seconds(found) if second >= start}

    assert at_time(min(now, later)) <= at_time(max(now, later))


@LAW
@given(SETS, SETS, MOMENTS, MOMENTS, LENGTHS, st.data())
def test_closing_or_opening_one_leaves_the_others(
    closed: list[Window], opened: list[Window], start: datetime, now: datetime, length: timedelta, data: st.DataObject
) -> None:
    """Of several due windows, one that is closed is no longer due, one that is opened still is, and the others stay."""
    plan = {"start": start, "delay": timedelta(0), "length": length, "now": now}
    windows = due(closed, opened, **plan, at_most=1000)
    if windows:
        one = data.draw(st.sampled_from(windows))
        rest = tuple(window for window in windows if window != one)
        assert due([*closed, one], opened, **plan, at_most=1000) == rest
        assert due(closed, [*opened, one], **plan, at_most=1000) == windows


@LAW
@given(SETS, SETS, MOMENTS, MOMENTS, LENGTHS, st.data())
def test_any_order_ends_without_a_hole(
    closed: list[Window], opened: list[Window], start: datetime, now: datetime, length: timedelta, data: st.DataObject
) -> None:
    """Closed in any order, in between windows that others closed, the due windows end at now, rounded down."""
    foreign = data.draw(SETS)
    plan = {"start": start, "delay": timedelta(0), "length": length, "now": now}
    while windows := due(closed, opened, **plan):
        opened = [*opened, data.draw(st.sampled_from(windows))]
        closed = [*closed, *foreign[:1], data.draw(st.sampled_from(windows))]
        foreign = foreign[1:]
    assert gaps(closed, start, boundary(now, length)) == ()
    assert watermark(closed, start) >= max(start, boundary(now, length))


@LAW
@given(SETS, SETS, MOMENTS, MOMENTS, LENGTHS, st.integers(0, 5))
def test_a_limit_keeps_the_oldest(
    closed: list[Window], opened: list[Window], start: datetime, now: datetime, length: timedelta, most: int
) -> None:
    """With a limit the oldest due windows are named."""
    plan = {"start": start, "delay": timedelta(0), "length": length, "now": now}
    assert due(closed, opened, **plan, at_most=most) == due(closed, opened, **plan, at_most=1000)[:most]


def day(text: str) -> Window:
    """A window by its text."""
    return Window.parse(text)


@pytest.mark.parametrize(
    ("now", "last"),
    [
        ("2026-11-12T00:59:59Z", "2026-11-10"),
        ("2026-11-12T01:00:00Z", "2026-11-11"),
        ("2026-11-13T00:59:59.999999Z", "2026-11-11"),
        ("2026-11-13T03:00:00+02:00", "2026-11-12"),
    ],
)
def test_a_day_is_due_when_it_is_over_and_the_delay(now: str, last: str) -> None:
    """With a delay of an hour a day is due from 01:00:00 UTC of the next, in whatever zone now is written."""
    windows = due((), (), start=BEGIN, now=datetime.fromisoformat(now), delay=HOUR)
    assert windows[-1] == day(last)
    assert windows[0] == day("2026-11-09")


def test_a_hole_in_a_day_is_due() -> None:
    """Where a part of a day was read by hand, the parts around it are due, and the day before whole."""
    closed = [day("2026-11-10T06:00:00Z/2026-11-10T12:00:00Z")]
    assert due(closed, (), start=BEGIN, now=BEGIN + 2 * DAY, delay=timedelta(0)) == (
        day("2026-11-09"),
        day("2026-11-10T00:00:00Z/2026-11-10T06:00:00Z"),
        day("2026-11-10T12:00:00Z/2026-11-11T00:00:00Z"),
    )


def test_an_open_window_that_is_not_over_stands_in_nobodys_way() -> None:
    """Days are due although a wrong clock once opened a window of a century."""
    century = day("2026-11-10T00:00:00Z/2126-11-10T00:00:00Z")
    assert due((), [century], start=BEGIN, now=BEGIN + 2 * DAY, delay=HOUR) == (day("2026-11-09"),)


@pytest.mark.parametrize(
    ("length", "moment", "expected"),
    [
        (6 * HOUR, "2026-11-11T17:59:59Z", "2026-11-11T12:00:00Z"),
        (DAY, "2026-11-11T23:59:59.9Z", "2026-11-11T00:00:00Z"),
        (7 * DAY, "2026-11-11T05:00:00Z", "2026-11-09T00:00:00Z"),
        (DAY, "1999-12-31T05:00:00Z", "1999-12-31T00:00:00Z"),
    ],
)
def test_boundaries_are_where_one_looks_for_them(length: timedelta, moment: str, expected: str) -> None:
    """Parts of a day are counted from midnight UTC, weeks from Monday."""
    assert boundary(datetime.fromisoformat(moment), length) == datetime.fromisoformat(expected)


@pytest.mark.parametrize(
    "now", [BEGIN - 900 * DAY, BEGIN - timedelta(seconds=1), BEGIN, datetime.min.replace(tzinfo=UTC)]
)
def test_a_clock_before_the_start_gives_nothing(now: datetime) -> None:
    """Nothing is due before the start, not even an open window."""
    assert due((), [day("2026-11-09")], start=BEGIN, now=now, delay=HOUR) == ()


def test_a_delay_that_nothing_outlives_gives_nothing() -> None:
    """With a delay that reaches back before the calendar nothing is due."""
    assert due((), (), start=BEGIN, now=BEGIN + DAY, delay=timedelta(days=1_000_000)) == ()


def test_a_clock_far_ahead_gives_a_list_that_ends() -> None:
    """In the year 9999 the oldest windows are named, and no more than the limit."""
    windows = due((), (), start=BEGIN, now=datetime.max.replace(tzinfo=UTC), delay=HOUR, length=timedelta(seconds=1))
    assert len(windows) == 100
    assert windows[0].start == BEGIN


def test_fractions_of_a_second_are_not_covered() -> None:
    """A second of which only a part was closed is due again, one closed in two parts is not."""
    closed = [
        Window(start=at(0), end=at(10.5)),
        Window(start=at(10.5), end=at(20.25)),
        Window(start=at(20.75), end=at(30)),
    ]
    assert gaps(closed, at(0.5), at(30.9)) == (Window(start=at(20), end=at(21)),)


@pytest.mark.parametrize("length", [timedelta(0), timedelta(seconds=-1), timedelta(seconds=1.5)])
def test_a_length_is_whole_seconds(length: timedelta) -> None:
    """A length that is nothing, negative or finer than a second is refused."""
    with pytest.raises(ValueError, match="whole seconds"):
        due((), (), start=BEGIN, now=BEGIN + DAY, delay=HOUR, length=length)


def test_a_window_is_not_read_before_its_end() -> None:
    """A delay below nothing is a mistake of who asks, and said so."""
    moment = datetime(2026, 11, 11, tzinfo=UTC)
    with pytest.raises(ValueError, match="is read after its end"):
        due((), (), start=moment, now=moment, delay=timedelta(hours=-1))
