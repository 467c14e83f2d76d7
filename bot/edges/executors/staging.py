"""A job as files, in a folder held by a lock while it is in use, so that what a killed launcher left can be told."""

import contextlib
import fcntl
import json
import math
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bot.model import Job, Target
from bot.seams import InputError

PREFIX = "alignbot-"
_LOCK = "in-use"


@contextlib.contextmanager
def run_folder() -> Iterator[Path]:
    """An empty folder of this user's alone, removed afterwards. What runs left that were killed is removed first."""
    sweep(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as made:
        folder = Path(made)
        with (folder / _LOCK).open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder


def sweep(parent: Path) -> None:
    """Remove this user's folders of runs whose lock nobody holds."""
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            _remove(folder)


def _remove(folder: Path) -> None:
    """Remove one. Raises OSError where it is not ours, is in use, or has just been made."""
    if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
        return
    with (folder / _LOCK).open("rb") as lock:  # one without it is not yet, or is no folder of a run
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)


SCRIPT_NAME = "reproducer.py"
"""The script's name in its own tracebacks."""


class Staged(NamedTuple):
    """Where one job lies on the host while it runs."""

    job: Path
    script: Path
    folder: Path
    """Empty; the working folder of a run without a sandbox."""


@contextlib.contextmanager
def staged_job(job: Job, target: Target) -> Iterator[Staged]:
    """Script and job as files, for as long as the job runs. Raises InputError for a script that UTF-8 can't hold."""
    try:
        script = job.script.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"the script is not text that UTF-8 can hold: {error.reason}") from error
    with run_folder() as folder:
        staged = Staged(folder / "job.json", folder / "script.py", folder / "tmp")
        staged.job.write_text(json.dumps(job_file(job, target)), "utf-8")
        staged.script.write_bytes(script)
        staged.folder.mkdir()
        yield staged


def job_file(job: Job, target: Target) -> dict[str, Any]:
    """What the harness reads. It lowers its own limits: they are a second line behind the watchdog."""
    return {
        "device": job.device,
        "name": SCRIPT_NAME,
        "script_sha256": job.script_sha256,
        "observe": job.observe,
        "dispatch_key": target.dispatch_key,
        "fallback_pattern": target.fallback_pattern,
        "form": job.form,
        "write_down": job.write_down.as_json() if job.write_down else None,
        "check_seconds": min(60.0, job.timeout_s / 2),
        "simulate": None if job.simulate is None else job.simulate.as_json() | {"digest": job.simulate.digest},
        "limits": {
            # Not RLIMIT_AS: runtimes of GPUs reserve address space by the terabyte.
            "RLIMIT_DATA": job.memory_bytes,
            "RLIMIT_FSIZE": job.tmp_bytes,
            "RLIMIT_CORE": 0,
            # What is written to a socket and not read is the kernel's memory, some 200 KiB each: no watchdog sees it.
            "RLIMIT_NOFILE": 1024,
            # Processor time of all threads: as much as the deadline lets them have.
            "RLIMIT_CPU": math.ceil(job.timeout_s * (os.cpu_count() or 1)) + 1,
        },
    }
