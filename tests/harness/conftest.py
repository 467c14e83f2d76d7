"""Scripts under the harness, in plain processes: as the sandbox starts it, without the sandbox."""

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest

HERE = Path(__file__).parent
OBSERVE = HERE.parents[1] / "bot" / "harness" / "observe.py"
NAME = "reproducer.py"
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"}


class Observed(NamedTuple):
    """One run: what the process did, and what its harness told."""

    exit_code: int
    stdout: bytes
    stderr: str
    events: list[dict[str, Any]]

    @property
    def end(self) -> dict[str, Any]:
        """The last event."""
        return self.events[-1]

    @property
    def divergences(self) -> list[dict[str, Any]]:
        """What was found, in order."""
        return [event["divergence"] for event in self.events if event["event"] == "divergence"]


@pytest.fixture(scope="session", autouse=True)
def torch_is_there() -> None:
    """The harness runs on torch; the tests are skipped where it is not installed."""
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is missing: pip install 'xpu-alignment-bot[runner]'")


def text(case: str) -> str:
    """A script of the corpus, by its folder and name."""
    return (HERE / "cases" / f"{case}.py").read_text("utf-8")


def names(folder: str) -> list[str]:
    """All scripts of a folder."""
    return sorted(f"{folder}/{path.stem}" for path in (HERE / "cases" / folder).glob("*.py"))


def observe(script: str, folder: Path, **job: object) -> Observed:
    """Run a script under the harness and read its events, each a line of strict JSON."""
    (folder / "script.py").write_text(script, "utf-8")
    digest = hashlib.sha256(script.encode()).hexdigest()
    asked = {"device": "cpu", "dispatch_key": "CPU", "name": NAME, "script_sha256": digest} | job
    (folder / "job.json").write_text(json.dumps(asked), "utf-8")
    reader, writer = os.pipe()
    told: list[bytes] = []
    listener = threading.Thread(target=lambda: told.append(_drained(reader)))
    listener.start()
    command = [sys.executable, "-I", "-u", str(OBSERVE), "job.json", "script.py", str(writer)]
    try:
        ended = subprocess.run(
            command, cwd=folder, env=ENVIRONMENT, capture_output=True, pass_fds=[writer], timeout=120, check=False
        )
    finally:
        os.close(writer)
        listener.join()
    events = [json.loads(line, parse_constant=_refuse) for line in told[0].decode("ascii").splitlines()]
    return Observed(ended.returncode, ended.stdout, ended.stderr.decode("utf-8"), events)


def alone(script: str, folder: Path) -> Observed:
    """Run the same script by itself, as Python runs it."""
    (folder / NAME).write_text(script, "utf-8")
    ended = subprocess.run(
        [sys.executable, "-I", "-u", NAME], cwd=folder, env=ENVIRONMENT, capture_output=True, timeout=120, check=False
    )
    return Observed(ended.returncode, ended.stdout, ended.stderr.decode("utf-8").replace(f"{folder}/", ""), [])


def _drained(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read()


def _refuse(constant: str) -> NoReturn:
    raise AssertionError(f"{constant} is not JSON")
