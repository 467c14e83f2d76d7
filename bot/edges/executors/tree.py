"""All that a run started: found, measured against its limits, and ended for certain.

The sandbox's own root is bubblewrap; its one child is the first process of the namespace, and the kernel ends
everything in a namespace with its first process. Outside a sandbox a daemon is known by the mark in its environment:
one that cleans it and forks twice between two looks gets away.
"""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

import psutil

from bot.edges.executors.limits import EndedBy, Limits

MARK = "ALIGNBOT_RUN"
"""Variable that tells the processes of one run outside a sandbox."""
_GRACE_S = 2.0
_NAP_S = 0.005


class Tree:
    """The descendants of a command that was started in a session of its own.

    With a `mark`, also every process that has it as the variable `MARK`; without one it is a sandbox.
    """

    def __init__(self, command: subprocess.Popen[bytes], mark: str | None = None) -> None:
        self._command, self._mark, self._sandboxed = command, mark, mark is None
        self._root = psutil.Process(command.pid)
        self._seen: set[psutil.Process] = set()

    def exited(self) -> bool:
        """Has the command itself ended? It is not reaped here, so its process group can't be somebody else's yet."""
        if self._command.returncode is not None:
            return True
        return os.waitid(os.P_PID, self._command.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def breach(self, limits: Limits) -> EndedBy | None:
        """The limit that the tree is over at this moment, or None."""
        members = self._look()
        if len(members) > limits.max_processes:
            return EndedBy.PROCESSES
        uses = [_use(member) for member in members]
        if sum(use.threads for use in uses) > limits.max_threads:
            return EndedBy.THREADS
        if self._sandboxed and any(_files(member) > limits.max_files for member in members):
            return EndedBy.FILES
        # RSS counts a page once for each process that shares it, PSS once in all, at some fifty times the cost.
        tables = sum(use.tables_bytes for use in uses)
        if sum(use.rss_bytes for use in uses) + tables <= limits.memory_bytes:
            return None
        return EndedBy.MEMORY if sum(map(_pss_bytes, members)) + tables > limits.memory_bytes else None

    def end(self) -> bool:
        """Kill whatever is left; True when nothing is left after at most some seconds.

        The namespace's first process goes first: bubblewrap reaps it and ends by itself. Killed the other way round
        it may wait for a traced child for ever, or leave a zombie to an init that reaps nothing.
        """
        doomed = self._look() | self._marked()
        for member in doomed:
            _kill(member)
        if not self._wait_for_command(_GRACE_S / 2):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._command.pid, signal.SIGKILL)
        late = (self._look() | self._marked()) - doomed
        for member in late:
            _kill(member)
        left = not self._wait_for_command(_GRACE_S)
        return _all_gone(doomed | late, time.monotonic() + _GRACE_S) and not left

    def _look(self) -> set[psutil.Process]:
        members: set[psutil.Process] = set()
        with contextlib.suppress(psutil.NoSuchProcess):
            members.update(self._root.children(recursive=True))
        orphans = {process for process in self._seen - members if process.is_running()}
        self._seen = members | orphans
        return set(self._seen)

    def _marked(self) -> set[psutil.Process]:
        found: set[psutil.Process] = set()
        for process in psutil.process_iter() if self._mark else ():
            with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                if process.environ().get(MARK) == self._mark:
                    found.add(process)
        return found

    def _wait_for_command(self, timeout_s: float) -> bool:
        """Wait for the command, and end its process group before its number is given back."""
        until = time.monotonic() + timeout_s
        while not self.exited():
            if time.monotonic() > until:
                return False
            time.sleep(_NAP_S)
        if self._command.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._command.pid, signal.SIGKILL)
            self._command.wait()
        return True


def _kill(process: psutil.Process) -> None:
    with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        process.kill()


class _Use(NamedTuple):
    rss_bytes: int = 0
    tables_bytes: int = 0
    """Of its page tables, which grow by a page for every 2 MiB that it as much as reads."""
    threads: int = 0


def _use(process: psutil.Process) -> _Use:
    """What the kernel says of it; nothing for one that is gone."""
    try:
        lines = Path(f"/proc/{process.pid}/status").read_text("utf-8", "replace").splitlines()
    except OSError:
        return _Use()
    told = dict(line.split(":", 1) for line in lines if line.startswith(("VmRSS:", "VmPTE:", "Threads:")))
    rss, tables, threads = (int(told.get(name, "0").split()[0]) for name in ("VmRSS", "VmPTE", "Threads"))
    return _Use(rss << 10, tables << 10, threads)


def _files(process: psutil.Process) -> int:
    """How many files there are where it may make some; 0 where that can't be seen."""
    counts = [0]
    for place in ("/tmp", "/dev/shm"):  # noqa: S108  the sandbox's own
        inside = f"/proc/{process.pid}/root{place}"
        with contextlib.suppress(OSError):
            if _device(inside) != _device(place):  # until the sandbox is built its processes see the host's
                room = os.statvfs(inside)
                counts.append(room.f_files - room.f_ffree)
    return max(counts)


def _device(path: str) -> int | None:
    try:
        return Path(path).stat().st_dev
    except FileNotFoundError:
        return None


def _pss_bytes(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().pss)
    except psutil.AccessDenied:
        return _use(process).rss_bytes
    except psutil.NoSuchProcess:
        return 0


def _all_gone(processes: set[psutil.Process], until: float) -> bool:
    """Wait until every one is dead; a zombie is."""
    left = {process for process in processes if _alive(process)}
    while left and time.monotonic() < until:
        time.sleep(_NAP_S)
        left = {process for process in left if _alive(process)}
    return not left


def _alive(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
