"""A round that is killed at any point, and the next one: what is left is what an undisturbed round leaves."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from bot.edges.readings import SqlReadings
from bot.edges.store import SqlStore
from tests.double import changes, faults, landing
from tests.online.forking import Forks, forks
from tests.online.loopback import DAY, Loopback, as_of, later, midnight, noon, written
from tests.test_service import started

ROUND = ("daemon", "--once", "--device", "cpu")


@pytest.fixture
def killable(loopback: Loopback) -> Iterator[Forks]:
    """Command lines that can be killed; two days of the world are due."""
    with forks({**loopback.variables, **as_of(later(2)), "ALIGNBOT_WINDOWS__START": str(DAY)}) as running:
        yield running


def left(state: Path) -> dict[str, Any]:
    """What a state folder holds: items, readings, cases, scans and results, without when they were made."""
    store = SqlStore(state / "alignbot.db")
    try:
        readings = SqlReadings(store.engine).all()
        return {
            "readings": [one.model_dump(mode="json", exclude={"opened_at", "closed_at"}) for one in readings],
            "items": [item.model_dump_json() for one in readings for item in store.items(one.window)],
            "cases": [case.model_dump_json() for one in readings for case in store.cases(one.window, "cpu")],
            "scans": [one.model_dump(mode="json") for one in store.windows()],
            "files": written(state / "scans") if (state / "scans").exists() else {},
        }
    finally:
        store.close()


def killed_at(number: int, loopback: Loopback, killable: Forks) -> faults.Rule:
    """Kill the running command when it asks for the Nth time."""

    def kill(_: object) -> None:
        os.kill(killable.child, signal.SIGKILL)

    rule = faults.mutate(kill, nth=number)
    loopback.double.rules.clear()
    loopback.double.add(rule)
    return rule


def prepared(loopback: Loopback, killable: Forks, state: Path) -> Path:
    """A state folder whose first day was scanned before one of its items changed. The second day takes several
    questions: a pull request of the first landed on it, and of its numbers one is hidden, one deleted."""
    numbers = loopback.fill(DAY)
    pull = changes.create_pull(loopback.upstream, "[CI] Bump a runner", at=midnight(later(1))).number
    gone = loopback.fill(later(1), count=4)
    changes.hide(loopback.upstream, gone[1])
    changes.delete(loopback.upstream, gone[2])
    older = changes.create_pull(loopback.upstream, "[CI] Bump another", at=noon(later(2))).number
    landing.land(loopback.upstream, pull, at=noon(later(1)))
    landing.land(loopback.upstream, older, at=noon(later(1)))
    killable.variables |= as_of(later(1))
    assert killable.run(*ROUND, state=state) == 0
    killable.variables |= as_of(later(2))
    changes.edit(loopback.upstream, numbers[0], title="[Docs] Fix two typos")
    return state


def listings(loopback: Loopback) -> int:
    """How often a window was asked for so far, apart from lookups of single numbers, which are made anew each time."""
    return sum(len(loopback.double.asked(operation=name)) for name in ("Heads", "Window", "Numbers"))


def test_killed_while_it_asks(loopback: Loopback, killable: Forks, tmp_path: Path) -> None:
    """Killed at any of its requests a round loses that one alone: the next asks for it again, and ends the same."""
    before = prepared(loopback, killable, tmp_path / "before")
    shutil.copytree(before, tmp_path / "whole")
    loopback.asked()
    asked = listings(loopback)
    assert killable.run(*ROUND, state=tmp_path / "whole") == 0
    wanted, requests, asked = left(tmp_path / "whole"), loopback.asked(), listings(loopback) - asked
    assert (requests > asked + 2, asked) == (True, 3), "the heads, the page, the older pull request; sweep and lookups"
    for number in range(1, requests + 1):
        state, earlier = shutil.copytree(before, tmp_path / f"killed-{number}"), listings(loopback)
        killed_at(number, loopback, killable)
        assert killable.run(*ROUND, state=state) == -signal.SIGKILL
        assert killable.run(*ROUND, state=state) == 0
        assert left(state) == wanted, f"killed at request {number}"
        assert listings(loopback) - earlier <= asked + 1


def test_killed_while_it_writes(loopback: Loopback, killable: Forks, tmp_path: Path) -> None:
    """Killed at any step of writing its results a round has not scanned that window: the next one does."""
    before = prepared(loopback, killable, tmp_path / "before")
    shutil.copytree(before, tmp_path / "whole")
    assert killable.run(*ROUND, state=tmp_path / "whole") == 0
    wanted, points = left(tmp_path / "whole"), 0
    for number in range(1, 1_000, 7):
        state = shutil.copytree(before, tmp_path / f"killed-{number}")
        code = killable.run(*ROUND, state=state, die=number)
        if code == 0:
            break
        points += 1
        assert code == -signal.SIGKILL
        assert killable.run(*ROUND, state=state) == 0
        assert left(state) == wanted, f"killed at step {number}"
    assert points > 2


def test_killed_while_it_reads_details(loopback: Loopback, killable: Forks, tmp_path: Path) -> None:
    """Killed at any request, `collect` asks for that one again and no other, and makes the same archive."""
    loopback.fill(later(-1))
    loopback.defect(noon())
    body = f"Fixes #{loopback.defect(noon())}"
    changes.create_pull(loopback.upstream, "[CUDA] Fix wrong results of cumsum", body, at=noon())
    loopback.fill(later(1))

    def collected(name: str) -> int:
        arguments = ("collect", "--window", DAY, "--output", tmp_path / f"{name}.jsonl")
        return killable.run(*arguments, state=tmp_path / name)

    loopback.asked()
    assert collected("whole") == 0
    requests = loopback.asked()
    assert len(loopback.double.asked(path="/repos/pytorch/pytorch/pulls/")) == 1, "the details are more than one answer"
    for number in range(1, requests + 1):
        killed_at(number, loopback, killable)
        assert collected("killed") == -signal.SIGKILL
        assert collected("killed") == 0
        assert (tmp_path / "killed.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes(), number
        assert loopback.asked() == requests + 1
        shutil.rmtree(tmp_path / "killed")
        (tmp_path / "killed.jsonl").unlink()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_ended_while_github_is_silent(number: signal.Signals, code: int, loopback: Loopback, tmp_path: Path) -> None:
    """A signal in the middle of a request ends a scan at once, with the shell's code and without a word."""
    loopback.fill(DAY)
    silent = Event()
    loopback.double.add(faults.mutate(lambda _: silent.set(), operation="Window"), faults.delay(60, operation="Window"))
    arguments = ("scan", "--window", str(DAY), "--device", "cpu")
    with started(tmp_path / "state", *arguments, **loopback.variables) as scan:
        assert silent.wait(60)
        scan.send_signal(number)
        assert scan.communicate(timeout=30) == ("", "")
    assert scan.returncode == code
