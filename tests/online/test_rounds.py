"""A round of the service: what is due is read, what changed is seen, what could not be done is done by the next."""

import json
import os
import signal
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.config import load
from bot.edges.changes import due, unfinished
from bot.edges.readings import SqlReadings
from bot.model import Case, FrozenHeads, Item, Outcome, OutcomeKind, Reading, Window
from bot.scanning import working
from tests.double import faults
from tests.double.exchange import Answer, Exchange, as_json
from tests.online.conftest import Type
from tests.online.loopback import DAY, ONCE, Loopback, as_of, later, midnight, noon, of_day, scanned, week
from tests.sample_line import open_store
from tests.test_service import started


def test_it_begins_with_the_last_day(loopback: Loopback, typed: Type, state: Path) -> None:
    """The first round reads the last whole day that is over, later ones the days since, each once and in order."""
    loopback.fill(*week(7))
    first = typed(*ONCE, **as_of(later(1)))
    assert (first.code, first.stdout, scanned(first)) == (0, "", [str(DAY)])
    loopback.asked()
    again = typed(*ONCE, **as_of(later(1)))
    assert (again.code, scanned(again), loopback.asked()) == (0, [], 1), "the sweep alone"
    missed = typed(*ONCE, **as_of(later(6)))
    assert (missed.code, scanned(missed)) == (0, [str(day) for day in week(6)[1:]])
    assert all(len(of_day(state, day)) == 3 for day in week(6))
    assert typed("windows", "--gaps", **as_of(later(6))).code == 0


def test_the_log(loopback: Loopback, typed: Type) -> None:
    """Off a terminal all of standard error is JSON: a line for each window, one for the changes, one for the round."""
    loopback.fill(*week(3))
    done = typed(*ONCE, **as_of(later(2)), ALIGNBOT_WINDOWS__START=str(DAY))
    events = [line["event"] for line in map(json.loads, done.lines)]
    assert events == ["changes seen", "window scanned", "window scanned", "tick over"]
    line = done.log("window scanned")[0]
    assert {name: line[name] for name in ("state", "items", "outcomes", "held")} == {
        "state": "closed",
        "items": 3,
        "outcomes": {"dropped": 3},
        "held": False,
    }
    (over,) = done.log("tick over")
    assert (over["windows"], over["left"], over["whole"]) == (2, 0, True)
    assert (over["points"], over["requests"]) == (loopback.double.points, loopback.double.requests)


def test_start_and_length(loopback: Loopback, typed: Type) -> None:
    """`windows.start` makes the service read back to that day, `windows.length` in windows of that length."""
    loopback.fill(*week(2))
    done = typed(*ONCE, **as_of(later(1)), ALIGNBOT_WINDOWS__START=str(DAY), ALIGNBOT_WINDOWS__LENGTH="12h")
    assert scanned(done) == [str(DAY), "2025-11-11T12:00:00Z", str(later(1))]


def test_one_that_stayed_open(loopback: Loopback, typed: Type, state: Path) -> None:
    """A window that GitHub refuses after its first page ends the round with 3; the others are read, and the next round
    goes on with it where it stopped."""
    numbers = loopback.fill(DAY, count=101)
    loopback.fill(later(1))
    now = as_of(later(2)) | {"ALIGNBOT_WINDOWS__START": str(DAY)}
    loopback.double.add(faults.status(418, "I am a teapot", operation="Window", nth=2))
    done = typed(*ONCE, **now)
    assert (done.code, scanned(done)) == (3, [str(later(1))])
    (waits,) = done.log("has to wait")
    assert waits["window"] == str(Window.parse(str(DAY)))
    assert waits["why"].startswith("GitHub answered 418 to Window")
    pages = len(loopback.double.asked(operation="Window"))
    again = typed(*ONCE, **now)
    assert (again.code, scanned(again)) == (0, [str(DAY)])
    assert len(loopback.double.asked(operation="Window")) == pages + 1
    assert of_day(state).keys() == {*numbers}


def test_outage(loopback: Loopback, typed: Type) -> None:
    """While nobody answers a round ends with 3; the next one reads everything."""
    loopback.fill(*week(4))
    now = as_of(later(3)) | {"ALIGNBOT_WINDOWS__START": str(DAY)}
    dead = typed(*ONCE, **now, ALIGNBOT_GITHUB__API="http://127.0.0.1:9")
    assert (dead.code, scanned(dead), len(dead.log("has to wait"))) == (3, [], 3)
    assert scanned(typed(*ONCE, **now)) == [str(day) for day in week(3)]
    loopback.double.add(faults.status(418, times=None))
    unseen = typed(*ONCE, **now)
    assert (unseen.code, scanned(unseen)) == (3, []), "nothing is due, and nobody knows what has changed"
    assert unseen.log("has to wait")[0]["why"].startswith("GitHub answered 418")


def test_limit(loopback: Loopback, typed: Type) -> None:
    """Once GitHub asks to be left alone, the rest of the round leaves it alone."""
    loopback.fill(*week(4))
    loopback.double.add(faults.secondary_limit(3600, times=None))
    done = typed(*ONCE, **as_of(later(3)), ALIGNBOT_WINDOWS__START=str(DAY))
    assert (done.code, len(done.log("has to wait")), loopback.asked()) == (3, 3, 1)


def test_bad_token(loopback: Loopback, typed: Type) -> None:
    """What a person has to mend is one line and exit code 2, after one question."""
    loopback.fill(*week(3))
    now = as_of(later(2)) | {"ALIGNBOT_WINDOWS__START": str(DAY), "ALIGNBOT_GITHUB_TOKEN": "wrong"}
    done = typed(*ONCE, **now)
    assert (done.code, loopback.asked()) == (2, 1)
    assert done.lines[-1].startswith("alignbot: GitHub does not accept the credentials")


def strange(_: Exchange, answer: Answer) -> Answer:
    """An answer in which GitHub has renamed what every reader relies on."""
    content = answer.content
    content["data"]["repository"]["issues"] = {
        "pageInfo": {"hasNextPage": False, "endCursor": None},
        "nodes": [{"id": 1}],
    }
    return as_json(answer.status, content, answer.headers)


def test_a_fault_of_ours(loopback: Loopback, typed: Type) -> None:
    """A window that we fail at does not stand before the others: it is told with its trace, and they are read."""
    loopback.fill(*week(3))
    loopback.double.add(faults.Rule("strange", after=strange, operation="Window"))
    now = as_of(later(2)) | {"ALIGNBOT_WINDOWS__START": str(DAY)}
    done = typed(*ONCE, **now)
    assert (done.code, scanned(done)) == (3, [str(later(1))])
    (failed,) = done.log("failed by a fault of alignbot; please report it")
    assert "KeyError" in failed["exception"]


def test_a_fault_of_ours_in_the_sweep(loopback: Loopback, typed: Type) -> None:
    """Where we fail at what has changed, windows are read all the same."""
    loopback.fill(*week(3))
    assert typed(*ONCE, **as_of(later(1))).code == 0
    loopback.double.add(faults.Rule("strange", after=strange, operation="Updated", times=None))
    done = typed(*ONCE, **as_of(later(2)))
    assert (done.code, scanned(done)) == (3, [str(later(1))])
    assert done.log("failed by a fault of alignbot; please report it")[0]["part"] == "changes"


def test_no_sandbox(loopback: Loopback, typed: Type, tmp_path: Path) -> None:
    """Where scripts can't be run windows are read all the same, and those that need it are to be scanned yet."""
    loopback.fill(DAY)
    loopback.defect(midnight(later(1)))
    loopback.fill(later(1), later(2))
    now = as_of(later(3)) | {"ALIGNBOT_WINDOWS__START": str(DAY)}
    done = typed(*ONCE, **now, PATH=str(tmp_path))
    assert (done.code, scanned(done)) == (3, [str(DAY), str(later(2))])
    assert "apt-get install bubblewrap" in done.log("has to wait")[0]["why"]
    told = typed("windows", "--json", **now).json
    assert [(one["state"], one["scans"]) for one in told] == [
        ("closed", {"cpu": "done"}),
        ("closed", {}),
        ("closed", {"cpu": "done"}),
    ]
    assert scanned(typed(*ONCE, **now, PATH=str(tmp_path))) == []


def test_what_is_unfinished(state: Path) -> None:
    """Of the windows that were read: those not scanned for the device, cut short, held, stale, or with a case whose day
    has come; not those that are done, not over, or an archive's."""
    state.mkdir()
    store, now = open_store(state), noon(later(9))
    windows = [Window.parse(str(day)) for day in week(11)]
    readings = SqlReadings(store.engine)
    for window in windows[:10]:
        readings.save(Reading(window=window, heads=FrozenHeads(), opened_at=now))
    for window, told in zip(windows[1:], ["done", "held", "stale", "running", "done", "done"], strict=False):
        store.begin_scan(window, "cpu", FrozenHeads())
        if told != "running":
            store.finish_scan(window, "cpu", told)
    for window, wait in ((windows[5], 0), (windows[6], 1)):
        store.save_case(watched(window, now + timedelta(hours=wait)), now)
    store.begin_scan(windows[7], "xpu", FrozenHeads())
    store.begin_scan(windows[10], "cpu", FrozenHeads())
    found = unfinished(store.engine, "cpu", now)
    store.close()
    assert found == [windows[number] for number in (0, 2, 3, 4, 5, 7, 8)]


def watched(window: Window, moment: Any) -> Case:
    """A case that is to be looked at again."""
    item = Item.model_validate({"repo": "a/b", "number": 1, "kind": "issue", "title": "a title"})
    ruling = {"number": 1, "kind": "issue", "candidate": True, "class": "candidate", "defect_kind": "nan", "score": 1}
    outcome = Outcome(kind=OutcomeKind.WATCHED, stage="judge", reason="no script yet", look_again_at=moment)
    return Case.model_validate(
        {
            "window": window,
            "heads": FrozenHeads(),
            "device": "cpu",
            "items": (item,),
            "ruling": ruling,
            "outcome": outcome,
        }
    )


def test_stopped_in_a_backlog(loopback: Loopback, state: Path) -> None:
    """SIGTERM ends the service once the window that it works on is scanned, with exit code 0; the rest waits."""
    loopback.fill(*week(4))
    variables = {**loopback.variables, **as_of(later(4)), "ALIGNBOT_WINDOWS__START": str(DAY)}
    pids: list[int] = []
    loopback.double.add(
        faults.mutate(lambda _: os.kill(pids[0], signal.SIGTERM), operation="Window", nth=2),
        faults.delay(0.5, operation="Window", nth=2),
    )
    with started(state, "daemon", "--device", "cpu", **variables) as service:
        pids.append(service.pid)
        _, told = service.communicate(timeout=60)
    assert service.returncode == 0, told
    lines = [json.loads(line) for line in told.splitlines()]
    assert Counter(line["event"] for line in lines) == {
        "changes seen": 1,
        "window scanned": 2,
        "stopping": 1,
        "tick over": 1,
    }
    assert (lines[-1]["event"], lines[-1]["windows"], lines[-1]["left"]) == ("tick over", 2, 2)


def test_two_at_once(loopback: Loopback, typed: Type) -> None:
    """While somebody works on a state folder another round, scan or reading says who does, and asks GitHub nothing."""
    loopback.fill(DAY)
    settings, _ = load()
    with working(settings):
        for arguments in (
            ONCE,
            ("scan", "--window", DAY, "--device", "cpu"),
            ("collect", "--window", DAY, "--output", "day.jsonl"),
            ("windows", "--backfill"),
        ):
            second = typed(*arguments)
            assert (second.code, len(second.lines)) == (2, 1)
            assert f"another scan (process {os.getpid()}) works in" in second.lines[0]
    assert loopback.asked() == 0


def test_no_folder_for_many_windows(typed: Type, loopback: Loopback) -> None:
    """--out names one folder, and windows of GitHub are many: it is refused."""
    done = typed(*ONCE, "--out", "somewhere")
    assert (done.code, len(done.lines), loopback.asked()) == (2, 1, 0)
    assert "--out is for --archive and --sample" in done.lines[0]


def test_watched_at_most_so_often(loopback: Loopback, typed: Type, state: Path) -> None:
    """A round looks at what waits for a build once in `filing.watch_every`; what is due meanwhile stays due."""
    loopback.fill(DAY)
    waits = watched(Window.parse(str(later(-20))), noon(DAY))
    assert waits.outcome is not None
    waits = waits.model_copy(update={"outcome": waits.outcome.model_copy(update={"stage": "own"})})
    state.mkdir(exist_ok=True)
    for looks in (1, 0):
        store = open_store(state)
        store.save_case(waits, noon(DAY))
        store.close()
        done = typed(*ONCE, **as_of(later(1)))
        assert (done.code, len(done.log("watched"))) == (0, looks), done.lines
    store = open_store(state)
    assert due(store.engine, "cpu", noon(later(1))) == [waits]
    store.close()
