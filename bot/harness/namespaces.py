"""A process in fresh namespaces: what bubblewrap does for a cold run, for one that is forked from a warm process.

The warm process is in bubblewrap's own sandbox already, so its root, its network and its view of the host are gone.
Each run gets namespaces of its own inside: users (so that it can't look into the process it comes from), processes (so
that it can't name it, and ends with its first process), mounts with an empty `/tmp` and `/dev/shm`, network, IPC, host.
"""

import atexit
import contextlib
import ctypes
import os
import signal
import struct
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

_NEW = 0x00020000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
"""Mounts, host name, IPC, users, processes, network."""
_NOSUID_NODEV = 2 | 4
_READ_ONLY_AGAIN = 0x1000 | 0x20 | 1 | 2 | 4 | 8
"""Bind, remount, read-only, and what the mount is already: no set-uid, no devices, no programs."""
_SET_PDEATHSIG, _SET_SECCOMP, _DROP_BOUND, _NO_NEW_PRIVS, _SET_DUMPABLE = 1, 22, 24, 38, 4
_FILTER = 2
_CAPABILITIES_V3 = 0x20080522
_LAST_CAPABILITY = 63
FAILED = 126
"""Exit code of a run that could not be begun."""

_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def apart(work: Callable[[], int], *, room_bytes: int, seccomp: bytes | None) -> int:
    """Fork; in fresh namespaces `work` gives the exit code of a process that is not their first one.

    Returns the number of a child to wait for: it ends as `work`'s process does, by the same signal. When it is killed
    everything in the namespaces is.
    """
    child = os.fork()
    if child:
        return child
    try:
        _check(_libc.prctl(_SET_PDEATHSIG, signal.SIGKILL), "prctl")
        uid, gid = os.getuid(), os.getgid()
        _check(_libc.unshare(_NEW), "unshare")
        _write("setgroups", "deny")
        _write("uid_map", f"{uid} {uid} 1")
        _write("gid_map", f"{gid} {gid} 1")
        first = os.fork()
        if first == 0:
            _first_of_all(work, room_bytes, seccomp)
        _end_as(first)
    except BaseException:  # noqa: BLE001  no exception may reach the code that forked
        traceback.print_exc()
    os._exit(FAILED)


def _first_of_all(work: Callable[[], int], room_bytes: int, seccomp: bytes | None) -> NoReturn:
    """The first process of the namespaces: an empty `/tmp`, no rights, then the run's own process."""
    try:
        _check(_libc.prctl(_SET_PDEATHSIG, signal.SIGKILL), "prctl")
        for place in ("/tmp", "/dev/shm"):  # noqa: S108  the sandbox's own
            room = f"size={room_bytes},mode=1777".encode()
            _check(_libc.mount(b"tmpfs", place.encode(), b"tmpfs", _NOSUID_NODEV, room), "mount")
        _check(_libc.mount(b"none", b"/proc", None, _READ_ONLY_AGAIN, None), "mount")
        os.chdir("/tmp")  # noqa: S108
        _give_up_rights()
        if seccomp is not None:
            _install(seccomp)
        # Of the run's own user and namespace, and the launcher's descriptors are still open in it: nobody looks in.
        _check(_libc.prctl(_SET_DUMPABLE, 0, 0, 0, 0), "prctl")
        run = os.fork()
        if run == 0:
            _check(_libc.prctl(_SET_DUMPABLE, 1, 0, 0, 0), "prctl")
            os._exit(_as_python_ends(work()) & 0xFF)
        _end_as(run)
    except BaseException:  # noqa: BLE001  no exception may reach the code that forked
        traceback.print_exc()
    os._exit(FAILED)


def _as_python_ends(code: int) -> int:
    """What an interpreter does before it is gone: threads end, functions that were registered run."""
    getattr(threading, "_shutdown")()  # noqa: B009
    getattr(atexit, "_run_exitfuncs")()  # noqa: B009
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # the script may have closed it
            stream.flush()
    return code


def _give_up_rights() -> None:
    """No capability, now or by any program that is started."""
    for capability in range(_LAST_CAPABILITY + 1):
        _libc.prctl(_DROP_BOUND, capability, 0, 0, 0)
    header, nothing = struct.pack("=Ii", _CAPABILITIES_V3, 0), bytes(24)
    _check(_libc.capset(header, nothing), "capset")
    _check(_libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")


def _install(program: bytes) -> None:
    told = _Program(len(program) // 8, program)
    _check(_libc.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(told), 0, 0), "prctl")


def _end_as(child: int) -> NoReturn:
    """Wait for the child and end as it did: 128 + N for a signal N, as bubblewrap does."""
    while True:
        pid, status = os.wait()
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def _write(name: str, content: str) -> None:
    Path(f"/proc/self/{name}").write_text(content, "ascii")


def _check(answer: int, what: str) -> None:
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
