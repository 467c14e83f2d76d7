"""Runs one command to its end and no further: a deadline, ceilings, capped streams, nothing left behind.

One thread and one loop: every wait in here has a timeout, so a script that closes its streams, keeps them open in a
daemon, or stops the sandbox's first process can delay an answer but not prevent it.
"""

import contextlib
import fcntl
import os
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bot.edges.executors.limits import EndedBy, Limits
from bot.edges.executors.streams import Streams, close_all
from bot.edges.executors.tree import MARK, Tree
from bot.model import Value
from bot.seams import SandboxError

_LOOK_S = 0.05
_DRAIN_S = 0.5
_PAGE = 256
_LAST_SIGNAL = 64


class Wires(NamedTuple):
    """Descriptors that the command inherits under these numbers."""

    channel: int
    status: int
    """For `bwrap --json-status-fd`; the sandboxed command itself does not get it."""
    crumb: int
    """A page of memory that both sides see: which call is running."""


class Ended(Value):
    """What was seen of a command."""

    ended_by: EndedBy
    exit_code: int | None
    """As reported. None when a signal ended the command itself."""
    signal: int | None
    """The signal that ended it. Through bubblewrap a signal N and an exit code 128+N look the same: both are given."""
    stdout: str
    stderr: str
    truncated: bool
    duration_s: float
    channel: bytes
    channel_truncated: bool
    crumb: bytes
    """The page as the command left it."""
    started: bool
    """bubblewrap built the sandbox and started the command in it."""
    nothing_left: bool
    """Every process of the run is known to be dead."""


def supervise(
    command: Callable[[Wires], Sequence[str]],
    limits: Limits,
    *,
    sandboxed: bool,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    inherit: Sequence[int] = (),
) -> Ended:
    """Run `command(wires)` with this environment alone; returns within the deadline and some seconds.

    `sandboxed` says that the command is bubblewrap. Raises SandboxError when it can't be started at all.
    """
    streams = Streams(limits)
    with _page() as crumb, streams.open() as writers:
        stdout, stderr, channel, status = writers
        wires = Wires(channel, status, crumb)
        passed = (channel, crumb, status, *inherit) if sandboxed else (channel, crumb, *inherit)
        # bubblewrap's own environment stays empty, and its namespace needs no mark.
        mark = None if sandboxed else uuid.uuid4().hex
        variables = dict(environment or {}) | ({MARK: mark} if mark else {})
        began = time.monotonic()
        root = _start(command(wires), stdout=stdout, stderr=stderr, env=variables, cwd=folder, pass_fds=passed)
        tree = Tree(root, mark)
        try:
            close_all(writers)
            with streams.woken_by(root.pid):
                ended_by = _follow(tree, streams, limits, began + limits.timeout_s)
            duration_s = time.monotonic() - began
        finally:
            nothing_left = tree.end()
        streams.drain(_DRAIN_S)
        left = os.pread(crumb, _PAGE, 0)
    return _ended(root, streams, ended_by, sandboxed, left, duration_s=duration_s, nothing_left=nothing_left)


@contextlib.contextmanager
def _page() -> Iterator[int]:
    """Descriptor of a page of zeros that can't grow: the command may fill it, and no more than it."""
    page = os.memfd_create("crumb", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        os.ftruncate(page, _PAGE)
        fcntl.fcntl(page, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL)
        yield page
    finally:
        os.close(page)


def _start(
    arguments: Sequence[str],
    *,
    stdout: int,
    stderr: int,
    env: Mapping[str, str],
    cwd: Path | None,
    pass_fds: Sequence[int],
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            list(arguments),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env=env,
            cwd=cwd,
            pass_fds=pass_fds,
            start_new_session=True,
        )
    except OSError as error:
        raise SandboxError(f"{arguments[0]} could not be started: {error.strerror}") from error


def _follow(tree: Tree, streams: Streams, limits: Limits, deadline: float) -> EndedBy:
    """Read until the command ends or must be ended; looks at the tree every 50 ms, less often where a look is slow."""
    look_at = time.monotonic() + _LOOK_S
    while not tree.exited():
        now = time.monotonic()
        if now >= deadline:
            return EndedBy.TIMEOUT
        if streams.flooded():
            return EndedBy.OUTPUT
        if now >= look_at:
            breach = tree.breach(limits)
            if breach is not None:
                return breach
            looked = time.monotonic()
            look_at = looked + max(_LOOK_S, 3 * (looked - now))
        streams.read(min(look_at, deadline) - time.monotonic())
    return EndedBy.EXIT


def _ended(
    root: subprocess.Popen[bytes],
    streams: Streams,
    ended_by: EndedBy,
    sandboxed: bool,
    crumb: bytes,
    **facts: float | bool,
) -> Ended:
    exit_code, signal = exit_of(root.returncode, sandboxed=sandboxed) if ended_by is EndedBy.EXIT else (None, None)
    return Ended.model_validate(
        {
            "ended_by": ended_by,
            "exit_code": exit_code,
            "signal": signal,
            "stdout": streams.stdout.text(),
            "stderr": streams.stderr.text(),
            "truncated": streams.stdout.truncated or streams.stderr.truncated,
            "channel": streams.channel.head(),
            "channel_truncated": streams.channel.truncated,
            "crumb": crumb,
            # bubblewrap reports an exit code only for a command that it got to start.
            "started": not sandboxed or ended_by is not EndedBy.EXIT or b'"exit-code"' in streams.status.head(),
            **facts,
        }
    )


def exit_of(returncode: int | None, *, sandboxed: bool) -> tuple[int | None, int | None]:
    """Exit code and signal of a command that ended by itself."""
    if returncode is None:
        return None, None
    if returncode < 0:
        return None, -returncode
    if sandboxed and 128 < returncode <= 128 + _LAST_SIGNAL:
        return returncode, returncode - 128
    return returncode, None
