"""Killed at any point and started again, a scan ends as if nothing had happened."""

import json
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot import __version__
from bot.model import Case, OutcomeKind, RunEvidence
from bot.pipeline import scan
from bot.seams import EdgeError, Executor
from tests.fakes import Failing, FixedClock, RecordedExecutor, Silent
from tests.sample_line import WINDOW, open_store, recorded_line, sample

SEED = "pytorch/pytorch#204496"


def test_killed_at_every_point(tmp_path: Path) -> None:
    """SIGKILL at any call of the store or while the files are written: the next scan leaves the same of everything.

    A script runs a second time only where its evidence had not been saved.
    """
    command = [sys.executable, "-W", "error", "-m", "tests.kill_line", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent.parent)
    first, *rest = map(json.loads, done.stdout.splitlines())
    assert first["points"] > 30
    assert first["steps"] > 20
    assert first["points"] + first["steps"] == len(rest)
    assert first["jobs"] == len(first["findings"]) == 1
    assert {one["signal"] for one in rest} == {signal.SIGKILL}
    assert [one for one in rest if one["differs"]] == []
    assert {one["jobs"] for one in rest} == {1, 2}
    assert sum(one["jobs"] == 2 for one in rest) == 1


def follow_seed(folder: Path, executor: Executor, clock: FixedClock | None = None) -> tuple[Case, Silent]:
    """Scan the sample with an executor; the seed's case and what was done."""
    store, told = open_store(folder), Silent()
    scan(sample(), WINDOW, recorded_line(store, folder, executor, clock), told)
    case = next(case for case in store.cases(WINDOW, "cpu") if case.leader.key == SEED)
    store.close()
    return case, told


def test_what_the_world_refuses_is_held_and_asked_again(tmp_path: Path) -> None:
    """An EdgeError holds one case with its words; the next scan asks that stage again and no earlier one."""
    held, _ = follow_seed(tmp_path, Failing(tmp_path / "jobs.txt", EdgeError("the device is away")))
    assert held.outcome is not None
    assert (held.outcome.kind, held.outcome.stage, held.outcome.reason) == ("held", "run", "the device is away")
    found, told = follow_seed(tmp_path, RecordedExecutor(tmp_path / "jobs.txt"))
    assert found.outcome is not None
    assert found.outcome.kind is OutcomeKind.FINDING
    assert [stage for key, stage in told.stages if key == SEED] == ["run", "read", "judge", "find", "dedupe", "render"]


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
    """Before its date a watched case rests; from the first second of that day on it is followed from the beginning."""
    clock = FixedClock()
    executor = RecordedExecutor(tmp_path / "jobs.txt")
    follow_seed(tmp_path, executor, clock)
    clock.moment += timedelta(days=6, hours=17)
    assert follow_seed(tmp_path, executor, clock)[1].stages == []
    clock.moment += timedelta(hours=1)
    _, told = follow_seed(tmp_path, executor, clock)
    assert {key for key, stage in told.stages if stage == "extract"} == {
        "pytorch/pytorch#204467",
        "pytorch/pytorch#204493",
    }


def test_what_another_alignbot_said_is_asked_again(tmp_path: Path) -> None:
    """Cases of another version start anew, findings apart; a second scan of this version then changes nothing."""
    follow_seed(tmp_path, RecordedExecutor(tmp_path / "jobs.txt"))
    store = open_store(tmp_path)
    for case in store.cases(WINDOW, "cpu"):
        assert case.version == __version__
        store.save_case(case.model_copy(update={"version": "0.0.1"}), FixedClock().now())
    store.close()
    found, told = follow_seed(tmp_path, RecordedExecutor(tmp_path / "jobs.txt"))
    assert found.version == "0.0.1"
    assert {key for key, stage in told.stages if stage == "extract"} == {
        "pytorch/pytorch#204467",
        "pytorch/pytorch#204493",
    }
    assert follow_seed(tmp_path, RecordedExecutor(tmp_path / "jobs.txt"))[1].stages == []
    store = open_store(tmp_path)
    versions = {case.leader.key: case.version for case in store.cases(WINDOW, "cpu")}
    store.close()
    assert {key for key, version in versions.items() if version != __version__} == {SEED}


def test_evidence_from_outside_the_sandbox_is_not_reused_inside(tmp_path: Path) -> None:
    """What ran unsandboxed is kept for such scans only; a sandboxed scan runs it again, and keeps that."""

    def follow(*, unsandboxed: bool) -> tuple[Case, list[str]]:
        store, told = open_store(tmp_path), Silent()
        line = recorded_line(store, tmp_path, RecordedExecutor(tmp_path / "jobs.txt", sandboxed=not unsandboxed))
        done = scan(sample(), WINDOW, replace(line, unsandboxed=unsandboxed), told)
        store.close()
        return next(case for case in done.cases if case.leader.key == SEED), [stage for _, stage in told.stages]

    follow(unsandboxed=True)
    assert follow(unsandboxed=True)[1] == []
    case, stages = follow(unsandboxed=False)
    assert "run" in stages
    assert isinstance(case.evidence, RunEvidence)
    assert case.evidence.sandboxed
    assert follow(unsandboxed=True)[1] == []
