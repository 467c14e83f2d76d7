"""`windows`: how every window stands, what is missing, and filling the holes."""

from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.edges.github.listing import SLACK
from bot.model import Window, rfc3339
from tests.double import faults
from tests.double.exchange import Exchange
from tests.online.conftest import Type
from tests.online.loopback import DAY, Loopback, as_of, later, midnight, noon, remembered, starts, week


def reads(day: date) -> dict[str, Any]:
    """The requests by which the window of a day is listed."""
    until = rfc3339(midnight(day) + timedelta(days=1) + SLACK)

    def lists_it(exchange: Exchange) -> bool:
        return bool((exchange.graphql or {}).get("variables", {}).get("until") == until)

    return {"operation": "Window", "where": lists_it, "times": None}


def test_every_window(loopback: Loopback, typed: Type) -> None:
    """Each window shows its state, counts and scans, a hole between two is missing; days are told as days."""
    loopback.fill(*week(4))
    for day in (later(2), DAY):
        assert typed("scan", "--window", day, "--device", "cpu").code == 0
    told = typed("windows", "--json").json
    assert starts(told) == [str(day) for day in week(3)]
    assert [one["state"] for one in told] == ["closed", "missing", "closed"]
    assert [one["scans"] for one in told] == [{"cpu": "done"}, {}, {"cpu": "done"}]
    assert told[0]["counts"] == {"issue": 3, "landed": 0}
    assert told[0]["proof"]["accounted"]["issue"] == 3
    table = typed("windows")
    assert (table.code, table.stderr) == (0, "")
    assert table.stdout.splitlines()[1].split() == ["2025-11-11", "closed", "issue", "3", "cpu", "done"]
    assert table.stdout.splitlines()[2].split("  ")[0] == "2025-11-12"
    assert "missing" in table.stdout.splitlines()[2]


def test_by_hand_alone(loopback: Loopback, typed: Type) -> None:
    """Before there is a daemon or a `windows.start`, only what lies between the windows that were read is missing; with
    one of them, everything until now."""
    loopback.fill(*week(4))
    for day in (later(2), DAY):
        typed("scan", "--window", day, "--device", "cpu")
    assert starts(typed("windows", "--gaps", "--json").json) == [str(later(1))]
    with_start = typed("windows", "--gaps", "--json", ALIGNBOT_WINDOWS__START=str(DAY))
    assert starts(with_start.json)[:2] == [str(later(1)), str(later(3))]
    assert len(with_start.json) > 300


def test_nothing_was_read(typed: Type) -> None:
    """An empty store says what to type; nothing is missing, because nothing has to be read."""
    assert "alignbot scan --window" in typed("windows").stdout
    gaps = typed("windows", "--gaps")
    assert (gaps.code, gaps.stdout) == (0, "nothing is missing\n")
    assert typed("windows", "--gaps", "--json").json == []


def test_gaps_and_backfill(loopback: Loopback, typed: Type) -> None:
    """What is over and not closed is a gap: exit code 3 until it is filled, from the oldest to the newest."""
    loopback.fill(*week(5))
    now = as_of(later(4)) | {"ALIGNBOT_WINDOWS__START": str(DAY)}
    typed("scan", "--window", later(1), "--device", "cpu")
    gaps = typed("windows", "--gaps", "--json", **now)
    assert (gaps.code, starts(gaps.json)) == (3, [str(later(place)) for place in (0, 2, 3)])
    loopback.asked()
    points = loopback.double.points
    filled = typed("windows", "--backfill", **now)
    assert filled.code == 0, filled.stderr
    assert filled.lines[-1].startswith(f"GitHub: {loopback.double.points - points} points, {loopback.asked()} requests")
    assert [line for line in filled.lines if line.startswith("reading")] == [
        f"reading {Window.parse(str(later(place)))}" for place in (0, 2, 3)
    ]
    again = typed("windows", "--backfill", **now)
    assert (again.code, again.stdout, loopback.asked()) == (0, "nothing is missing\n", 0)
    assert typed("windows", "--gaps", **now).code == 0
    scans = [one["scans"] for one in typed("windows", "--json", **now).json]
    assert scans == [{}, {"cpu": "done"}, {}, {}], "a backfill follows no case"


def test_backfill_goes_on_after_one_that_fails(loopback: Loopback, typed: Type) -> None:
    """A window that GitHub doesn't let be read stays open with its reason; those after it are read all the same."""
    loopback.fill(*week(4))
    now = as_of(later(3)) | {"ALIGNBOT_WINDOWS__START": str(DAY)}
    loopback.double.add(faults.status(418, "I am a teapot", **reads(later(1))))
    filled = typed("windows", "--backfill", "--json", **now)
    assert filled.code == 3
    assert [one["state"] for one in filled.json] == ["closed", "open", "closed"]
    assert "I am a teapot" in filled.json[1]["why"]
    gaps = typed("windows", "--gaps", "--json", **now)
    assert (gaps.code, starts(gaps.json)) == (3, [str(later(1))])
    assert gaps.json[0]["why"] == filled.json[1]["why"]
    loopback.double.rules.clear()
    assert typed("windows", "--backfill", **now).code == 0
    assert typed("windows", "--gaps", **now).code == 0


def test_backfill_when_the_limit_is_reached(loopback: Loopback, typed: Type) -> None:
    """Once GitHub says until when it wants to be left alone, no other window asks it anything."""
    loopback.fill(*week(5))
    loopback.double.add(faults.secondary_limit(3600, operation="Heads", nth=3, times=None))
    now = as_of(later(5)) | {"ALIGNBOT_WINDOWS__START": str(DAY)}
    filled = typed("windows", "--backfill", "--json", **now)
    assert (filled.code, [one["state"] for one in filled.json]) == (3, ["closed"] * 2 + ["missing"] * 3)
    assert all("it may be asked again at" in one["why"] for one in filled.json[2:])
    assert len(loopback.double.asked(operation="Heads")) == 3


def test_by_hand_in_any_order(loopback: Loopback, typed: Type, state: Path) -> None:
    """Whole days, quarters of a day and overlapping windows, read in any order, hold what was created in each: nothing
    is skipped, what lies on a border belongs to the later one, and no hole is left."""
    dice = Random(7)  # noqa: S311  the same world each time
    seconds = {0, 21_599, 21_600, 43_200, 86_399, *(dice.randrange(86_400) for _ in range(8))}
    for day in week(4):
        for second in sorted(seconds):
            loopback.issue(midnight(day) + timedelta(seconds=second))
    quarters = [midnight(later(2)) + timedelta(hours=6 * place) for place in range(5)]
    windows = [Window(start=start, end=end) for start, end in pairwise(quarters)]
    windows += [Window.parse(str(DAY)), Window.parse(str(later(1)))]
    windows += [Window(start=noon(DAY), end=noon(later(1))), Window(start=noon(later(1)), end=quarters[1])]
    dice.shuffle(windows)
    for window in windows:
        done = typed("scan", "--window", window, "--device", "cpu")
        assert done.code == 0, done.stderr
    assert all(remembered(state, window) == sorted(loopback.created(window)) for window in windows)
    whole = Window(start=midnight(DAY), end=midnight(later(3)))
    assert {number for window in windows for number in remembered(state, window)} == loopback.created(whole)
    assert typed("windows", "--gaps", **as_of(later(3))).code == 0


def test_other_lengths(loopback: Loopback, typed: Type, state: Path) -> None:
    """Windows are cut at the boundaries of their length; after it was changed, holes are cut anew."""
    loopback.fill(*week(3), count=9)
    now = as_of(later(2)) | {"ALIGNBOT_WINDOWS__START": str(DAY)}
    quarters = typed("windows", "--gaps", "--json", ALIGNBOT_WINDOWS__LENGTH="6h", **now).json
    assert len(quarters) == 10, "two days and, at noon, half of the third"
    assert quarters[1]["window"] == "2025-11-11T06:00:00Z/2025-11-11T12:00:00Z"
    typed("scan", "--window", quarters[1]["window"], "--device", "cpu")
    rest = typed("windows", "--gaps", "--json", **now).json
    assert [one["window"] for one in rest] == [
        "2025-11-11T00:00:00Z/2025-11-11T06:00:00Z",
        "2025-11-11T12:00:00Z/2025-11-12T00:00:00Z",
        "2025-11-12T00:00:00Z/2025-11-13T00:00:00Z",
    ]
    assert typed("windows", "--backfill", **now).code == 0
    told = typed("windows", "--json", **now).json
    found = [number for one in told for number in remembered(state, Window.parse(one["window"]))]
    assert sorted(found) == sorted(loopback.created(Window(start=midnight(DAY), end=midnight(later(2)))))


@pytest.mark.parametrize("arguments", [("windows",), ("windows", "--gaps"), ("daemon", "--once")])
def test_no_length(arguments: tuple[str, ...], typed: Type) -> None:
    """A length that no window can have is told in one line that names the key."""
    done = typed(*arguments, ALIGNBOT_WINDOWS__LENGTH="1.5s", ALIGNBOT_WINDOWS__START=str(DAY))
    assert (done.code, done.stdout) == (2, "")
    assert done.lines[-1] == ("alignbot: setting 'windows.length': a window is whole seconds long, not 1.5 s")


def test_open_before_the_schedule_begins(loopback: Loopback, typed: Type) -> None:
    """A window that was opened by hand and is older than the schedule is missing too, and is filled."""
    loopback.fill(*week(4))
    loopback.double.add(faults.status(418, **reads(DAY)))
    assert typed("scan", "--window", DAY, "--device", "cpu").code == 3
    loopback.double.rules.clear()
    now = as_of(later(3)) | {"ALIGNBOT_WINDOWS__START": str(later(2))}
    gaps = typed("windows", "--gaps", "--json", **now).json
    assert [(one["state"], one["window"][:10]) for one in gaps] == [("open", str(DAY)), ("missing", str(later(2)))]
    assert [one["state"] for one in typed("windows", "--backfill", "--json", **now).json] == ["closed", "closed"]


def test_more_than_are_shown(typed: Type) -> None:
    """Where more is missing than is told at a time, that is said."""
    gaps = typed("windows", "--gaps", "--json", ALIGNBOT_WINDOWS__START="2020-01-01")
    assert len(gaps.json) == 1_000
    assert gaps.lines == ["the oldest 1000 windows that are missing are told; further ones after these"]


def test_one_thing_at_a_time(typed: Type) -> None:
    """To show what is missing and to read it are two commands."""
    done = typed("windows", "--gaps", "--backfill")
    assert (done.code, len(done.lines)) == (2, 1)
