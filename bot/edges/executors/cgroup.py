"""A control group for one run, where this process may make one: memory and processes are the kernel's to limit then.

Version 2 alone, and only where the group of this process is handed over to it with both controllers (`Delegate=yes` of
a systemd unit, a container with its own group). Elsewhere the watchdog of `tree` does what it can.
"""

import contextlib
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

from bot.edges.executors.limits import Limits

CONTROLLERS = ("memory", "pids")
PREFIX = "alignbot-"
_JOIN = 'echo 0 > "$1/cgroup.procs" && shift && exec "$@"'


def handed_over(
    own: Path = Path("/proc/self/cgroup"), mounts: Path = Path("/proc/self/mounts"), needed: Sequence[str] = CONTROLLERS
) -> Path | None:
    """The folder in which groups with these controllers can be made, or None."""
    try:
        places = [line.split()[1] for line in mounts.read_text("utf-8").splitlines() if line.split()[2] == "cgroup2"]
        path = next(line[3:] for line in own.read_text("utf-8").splitlines() if line.startswith("0::"))
        folder = Path(places[0], path.lstrip("/"))
        passed_on = (folder / "cgroup.subtree_control").read_text("ascii").split()
    except (OSError, IndexError, StopIteration, UnicodeDecodeError):
        return None
    return folder if set(needed) <= set(passed_on) else None


@contextlib.contextmanager
def group(limits: Limits, parent: Path | None) -> Iterator[Path | None]:
    """A group with these limits below `parent`, or None where none can be made. Leaving it ends everything in it."""
    made = _make(limits, parent) if parent is not None else None
    try:
        yield made
    finally:
        if made is not None:
            with contextlib.suppress(OSError):
                (made / "cgroup.kill").write_text("1", "ascii")
            with contextlib.suppress(OSError):  # a process that is still dying keeps it; the next run's sweep takes it
                made.rmdir()


def _make(limits: Limits, parent: Path) -> Path | None:
    folder = parent / f"{PREFIX}{uuid.uuid4().hex}"
    _sweep(parent)
    try:
        folder.mkdir()
        for name, content in (
            ("memory.max", limits.memory_bytes),
            ("memory.swap.max", 0),
            ("memory.oom.group", 1),
            ("pids.max", limits.max_processes),
        ):
            if (folder / name).exists():
                (folder / name).write_text(str(content), "ascii")
    except OSError:
        with contextlib.suppress(OSError):
            folder.rmdir()
        return None
    return folder


def _sweep(parent: Path) -> None:
    """Remove groups that were left behind: an empty one can be removed, one that is in use can't."""
    for left in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            left.rmdir()


def joining(command: Sequence[str], folder: Path | None) -> list[str]:
    """The command, which puts itself into the group before it is anything else."""
    if folder is None:
        return list(command)
    return ["/bin/sh", "-c", _JOIN, "sh", str(folder), *command]


def over_memory(folder: Path | None) -> bool:
    """Has the kernel ended the group for its memory?"""
    if folder is None:
        return False
    try:
        lines = (folder / "memory.events").read_text("ascii").splitlines()
    except OSError:
        return False
    counts = dict(line.split() for line in lines)
    return int(counts.get("oom_kill", 0)) > 0
