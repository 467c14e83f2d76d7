"""What every Executor keeps to, over the local one and the one that answers from recordings."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.edges.executors.local import LocalExecutor
from bot.edges.executors.recorded import RecordedExecutor
from bot.model import Job, RunEvidence, RunStatus
from bot.seams import Executor, InputError, SandboxError

SCRIPTS = {"well": "print('well')", "raises": "raise ValueError(3)", "leaves": "raise SystemExit(5)", "": ""}
Made = Callable[[], Executor]


def job(name: str, **changes: object) -> Job:
    """A job for one of the scripts."""
    return Job.model_validate({"script": SCRIPTS[name], "device": "cpu", "repeats": 1, "timeout_s": 20, **changes})


@pytest.fixture
def local(executor: Callable[..., LocalExecutor], bwrap: Path) -> LocalExecutor:
    """The sandbox of this machine."""
    return executor(bwrap=bwrap)


@pytest.fixture
def folder(local: LocalExecutor, tmp_path: Path) -> Path:
    """Recordings of all scripts, as `run --json` prints them."""
    kept = tmp_path / "recorded"
    kept.mkdir()
    for place, name in enumerate(SCRIPTS):
        (kept / f"{place}.json").write_text(local.run(job(name)).model_dump_json(), "utf-8")
    return kept


@pytest.fixture(params=["local", "recorded"])
def any_executor(request: pytest.FixtureRequest, local: LocalExecutor, folder: Path) -> Iterator[Executor]:
    """Each implementation."""
    yield local if request.param == "local" else RecordedExecutor(folder)


@pytest.mark.parametrize(
    ("name", "status", "exit_code"),
    [("well", RunStatus.OK, 0), ("raises", RunStatus.ERROR, 1), ("leaves", RunStatus.ERROR, 5), ("", RunStatus.OK, 0)],
)
def test_a_run_says_how_it_ended(any_executor: Executor, name: str, status: RunStatus, exit_code: int) -> None:
    """Status and exit code, under the script's own digest and device, and evidence is JSON and back."""
    any_executor.ready()
    evidence = any_executor.run(job(name))
    assert (evidence.status, evidence.exit_code) == (status, exit_code)
    assert (evidence.script_sha256, evidence.device.type) == (job(name).script_sha256, "cpu")
    assert len(evidence.runs) == 1
    assert RunEvidence.model_validate_json(evidence.model_dump_json()) == evidence


def test_another_device_is_refused(any_executor: Executor) -> None:
    """Evidence of one device never stands for another's."""
    with pytest.raises((InputError, SandboxError)):
        any_executor.run(job("well", device="xpu"))


def test_a_recording_stands_for_its_own_script_alone(folder: Path) -> None:
    """One character more, a simulated device: there is no run of it, and the case waits."""
    recorded = RecordedExecutor(folder)
    with pytest.raises(SandboxError, match=r"holds no run of script [0-9a-f]{12} on cpu"):
        recorded.run(job("well", script=SCRIPTS["well"] + " "))


@pytest.mark.parametrize("text", ["", "[]", "{}", "{", "[" * 100_000, '{"status": "well"}', "\ud800"])
def test_a_folder_with_something_else_is_told(text: str, folder: Path) -> None:
    """The file is named, in one line."""
    (folder / "other.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(InputError, match=r"other\.json is no recorded run \(.+\): leave it out") as told:
        RecordedExecutor(folder).ready()
    assert "\n" not in str(told.value)


def test_the_command_line_judges_recordings(folder: Path, tmp_path: Path) -> None:
    """With the folder configured nothing runs: the recording is judged, and a script without one is one line."""
    script = tmp_path / "well.py"
    asked = [sys.executable, "-m", "bot", "run", str(script), "--device", "cpu", "--json"]
    variables = os.environ | {"ALIGNBOT_RUN__RECORDED": str(folder), "ALIGNBOT_STATE": str(tmp_path / "state")}
    for text, code in ((SCRIPTS["leaves"], 0), ("print('another')", 2)):
        script.write_text(text, "utf-8")
        ended = subprocess.run(asked, env=variables, capture_output=True, text=True, check=False)
        assert ended.returncode == code, ended.stderr
        assert (json.loads(ended.stdout)["exit_code"] == 5) if code == 0 else ("holds no run of script" in ended.stderr)


def test_no_folder_is_told(tmp_path: Path) -> None:
    """With the command that makes a recording."""
    with pytest.raises(InputError, match=r"run FILE\.py --json"):
        RecordedExecutor(tmp_path / "none").ready()
