"""Killed at any point and started again, a scan ends as if nothing had happened."""

import json
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from bot.model import Case, Job, OutcomeKind, RunEvidence
from bot.pipeline import scan
from bot.seams import EdgeError, Executor
from tests.fakes import FixedClock, RecordedExecutor, Silent
from tests.sample_line import WINDOW, open_store, recorded_line, sample

SEED = "pytorch/pytorch#204496"


def test_killed_at_every_point(tmp_path: Path) -> None:
    """SIGKILL before or after any call of the store: the next scan leaves the same cases, findings and files.

    A script runs a second time only where its evidence had not been saved.
    """
    command = [sys.executable, "-W", "error", "-m", "tests.kill_line", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent.parent)
    first, *rest = map(json.loads, done.stdout.splitlines())
    assert first["points"] == len(rest) > 30
    assert first["jobs"] == len(first["findings"]) == 1
    assert {one["signal"] for one in rest} == {signal.SIGKILL}
    assert [one for one in rest if one["differs"]] == []
    assert {one["jobs"] for one in rest} == {1, 2}
    assert sum(one["jobs"] == 2 for one in rest) == 1


def follow_seed(folder: Path, executor: Executor, clock: FixedClock | None = None) -> tuple[Case, Silent]:
    """Scan the sample with an executor; the seed's case and what was done."""
    store, told = open_store(folder), Silent()
    line = recorded_line(store, folder, executor, clock)
    done = scan(sample(), WINDOW, line, told)
    store.close()
    return next(case for case in done.cases if case.leader.key == SEED), told


class Failing(RecordedExecutor):
    """An Executor that fails as it is told to."""

    def __init__(self, log: Path, error: Exception) -> None:
        super().__init__(log)
        self._error = error

    def run(self, job: Job) -> RunEvidence:
        """Never answers."""
        raise self._error


def test_what_the_world_refuses_is_held_and_asked_again(tmp_path: Path) -> None:
    """An EdgeError holds one case with its words; the next scan asks that stage again and no earlier one."""
    held, _ = follow_seed(tmp_path, Failing(tmp_path / "jobs.txt", EdgeError("the device is away")))
    assert held.outcome is not None
    assert (held.outcome.kind, held.outcome.stage, held.outcome.reason) == ("held", "run", "the device is away")
    found, told = follow_seed(tmp_path, RecordedExecutor(tmp_path / "jobs.txt"))
    assert found.outcome is not None
    assert found.outcome.kind is OutcomeKind.FINDING
    assert [stage for key, stage in told.stages if key == SEED] == ["run", "judge", "find", "render"]


def test_a_fault_of_ours_drops_one_case_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Any other error ends that case with a look-again date; all other cases have their outcomes."""
    dropped, told = follow_seed(tmp_path, Failing(tmp_path / "jobs.txt", ZeroDivisionError("ours")))
    assert dropped.outcome is not None
    assert dropped.outcome.kind is OutcomeKind.WATCHED
    assert "a fault of alignbot in run: ZeroDivisionError" in dropped.outcome.reason
    assert dropped.outcome.look_again_at is not None
    assert len(told.finished) == 17
    capsys.readouterr()


def test_look_again_date_reopens_a_case(tmp_path: Path) -> None:
    """Before its date a watched case rests; from its date on it is followed from the beginning."""
    clock = FixedClock()
    executor = RecordedExecutor(tmp_path / "jobs.txt")
    follow_seed(tmp_path, executor, clock)
    clock.moment += timedelta(days=6, hours=23)
    assert follow_seed(tmp_path, executor, clock)[1].stages == []
    clock.moment += timedelta(hours=1)
    _, told = follow_seed(tmp_path, executor, clock)
    assert {key for key, stage in told.stages if stage == "extract"} == {
        "pytorch/pytorch#204467",
        "pytorch/pytorch#204493",
    }
