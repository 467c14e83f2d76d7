"""What tests share: the command line as a subprocess, and the reasons for skipping."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import structlog


@pytest.fixture(autouse=True)
def _logs_as_they_were() -> Iterator[None]:
    """A test that has logs configured in its own process leaves no stream behind that pytest closes."""
    yield
    structlog.reset_defaults()


Alignbot = Callable[..., subprocess.CompletedProcess[str]]

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")


@pytest.fixture(scope="session")
def alignbot() -> Alignbot:
    """Run `alignbot` as a person would: `alignbot("scan", "--sample", state=folder)`."""

    def run(
        *arguments: str | Path, state: Path, stdin: str | None = None, before: tuple[str, ...] = (), **variables: str
    ) -> subprocess.CompletedProcess[str]:
        kept = {name: text for name, text in os.environ.items() if not name.startswith("ALIGNBOT_")}
        return subprocess.run(
            [*before, sys.executable, "-W", "error", "-m", "bot", *map(str, arguments)],
            env={**kept, "ALIGNBOT_STATE": str(state), "COLUMNS": "200", **variables},
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    return run


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    """The error of a command that failed with exit code 2 and one line, and printed nothing else."""
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("alignbot: ")
    return lines[0]
