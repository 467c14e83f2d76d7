"""Many runs of one script from one process that has torch loaded: each is forked into namespaces of its own.

The process is our own: it runs nothing of the script, reads nothing from the runs but bytes, and stays out of their
reach (`namespaces`). It never starts torch's threads and never touches a device, which no fork survives.
"""

import base64
import os
import random
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from .channel import Channel
from .crumb import SIZE
from .namespaces import apart

CHUNK = 1 << 16
DRAIN_S = 0.5


class Kept:
    """The first and the last bytes of a stream, and how many there were."""

    def __init__(self, ceiling: int) -> None:
        self._half = ceiling // 2
        self.head, self.tail, self.total = b"", b"", 0

    def add(self, chunk: bytes) -> None:
        """Take the next bytes."""
        self.total += len(chunk)
        room = self._half - len(self.head)
        self.head += chunk[:room]
        self.tail = (self.tail + chunk[room:])[-self._half :] if len(chunk) > room else self.tail


class Run(NamedTuple):
    """The descriptors of one run: what it writes to, and what is read here."""

    child: int
    pipes: dict[int, Kept]


def serve(job: dict[str, Any], channel: Channel, session: Callable[[dict[str, Any], int], int]) -> int:
    """Fork `job["repeats"]` runs one after the other; one event `ran` each. `session(job, descriptor)` is one run."""
    for _ in range(job["repeats"]):
        began = time.monotonic()
        run = _start(job, channel, session)
        late, flooded = _follow(run, began + job["timeout_s"], job["flood_bytes"])
        status = _end(run)
        outs = list(run.pipes.values())
        channel.emit(
            "ran",
            exit_code=os.waitstatus_to_exitcode(status),
            late=late,
            flooded=flooded,
            duration_s=time.monotonic() - began,
            crumb=_page(job["crumb"]),
            streams=[{"head": _text(one.head), "tail": _text(one.tail), "total": one.total} for one in outs],
        )
    return 0


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def _page(descriptor: int) -> str:
    """The page as the run left it; it is empty for the next one."""
    left = os.pread(descriptor, SIZE, 0)
    os.pwrite(descriptor, bytes(SIZE), 0)
    return _text(left)


def _start(job: dict[str, Any], channel: Channel, session: Callable[[dict[str, Any], int], int]) -> Run:
    ends = [os.pipe() for _ in range(3)]
    ceilings = (job["output_bytes"], job["output_bytes"], job["channel_bytes"])

    def work() -> int:
        for (_, writer), own in zip(ends, (1, 2, None), strict=True):
            if own is not None:
                os.dup2(writer, own)
        for reader, writer in ends:
            os.close(reader)
            if writer != ends[2][1]:
                os.close(writer)
        channel.close()  # whoever writes to it tells the launcher how runs ended
        _forget_the_past()
        return session(job, ends[2][1])

    child = apart(work, room_bytes=job["tmp_bytes"], seccomp=bytes.fromhex(job["seccomp"]) if job["seccomp"] else None)
    for _, writer in ends:
        os.close(writer)
    return Run(child, {reader: Kept(ceiling) for (reader, _), ceiling in zip(ends, ceilings, strict=True)})


def _forget_the_past() -> None:
    """What a process of its own would not have in common with others."""
    random.seed()
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        torch.default_generator.seed()
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None and "numpy.random" in sys.modules:
        numpy.random.seed()


def _follow(run: Run, deadline: float, flood_bytes: int) -> tuple[bool, bool]:
    """Read until the run ends, is late or floods; which of the last two it was."""
    open_ends = set(run.pipes)
    end = os.pidfd_open(run.child)
    try:
        while True:
            ready, _, _ = select.select([end, *open_ends], [], [], max(0.0, deadline - time.monotonic()))
            _read(run, open_ends, ready)
            if any(one.total > flood_bytes for one in run.pipes.values()):
                return False, True
            if end in ready:
                return False, False
            if time.monotonic() >= deadline:
                return True, False
    finally:
        os.close(end)


def _read(run: Run, open_ends: set[int], ready: list[int]) -> None:
    for reader in [one for one in ready if one in open_ends]:
        chunk = os.read(reader, CHUNK)
        if chunk:
            run.pipes[reader].add(chunk)
        else:
            open_ends.discard(reader)


def _end(run: Run) -> int:
    """Kill what is left of the run, read what is left in its pipes, and give its status."""
    os.kill(run.child, signal.SIGKILL)
    _, status = os.waitpid(run.child, 0)
    open_ends, until = set(run.pipes), time.monotonic() + DRAIN_S
    while open_ends and time.monotonic() < until:
        ready, _, _ = select.select(list(open_ends), [], [], DRAIN_S)
        _read(run, open_ends, ready)
    for reader in run.pipes:
        os.close(reader)
    return status
