"""The sandbox by itself: an empty script, without torch, so that what is wrong with either is told apart."""

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bot.edges.executors.interpreter import ask
from bot.edges.executors.local import LocalExecutor
from bot.model import Job, RunEvidence, Target
from bot.seams import InputError

EMPTY_SCRIPT_S = 30.0


def bwrap_version(bwrap: Path) -> str:
    """`bubblewrap 0.8.0`, or only its name where it does not say."""
    try:
        done = subprocess.run(
            [str(bwrap), "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=5, check=True
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return "bubblewrap"
    return done.stdout.strip() or "bubblewrap"


def bare_run(pythons: Sequence[Path], target: Target) -> RunEvidence:
    """An empty script in the sandbox, without torch: by the first of the interpreters that can be used.

    Raises SandboxError when the sandbox can't be built, InputError when none of the interpreters starts.
    """
    with tempfile.TemporaryDirectory(prefix="alignbot-", ignore_cleanup_errors=True) as folder:
        Path(folder, "observe.py").touch()  # in the harness's place, with nothing to observe
        executor = LocalExecutor(python=_starting(pythons), target=target, harness=Path(folder), package="json")
        return executor.run(Job(script="", device=target.name, repeats=1, timeout_s=EMPTY_SCRIPT_S))


def _starting(pythons: Sequence[Path]) -> Path:
    for python in pythons[:-1]:
        try:
            ask(python, "json")
        except InputError:
            continue
        return python
    return pythons[-1]
