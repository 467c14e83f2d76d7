"""The system calls that a script may not make, as a filter that bubblewrap installs.

Namespaces leave these open: they reach past the memory watchdog (segments that no process maps), past the namespace
(the session keyring is shared with the launcher) or into the namespace's first process.
"""

import contextlib
import errno
import os
import platform
import struct
from collections.abc import Iterator
from typing import NamedTuple


class _Machine(NamedTuple):
    audit: int
    numbers: dict[str, int]


_EVERYWHERE = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "pidfd_getfd": 438,
    "memfd_secret": 447,
}
_MACHINES = {
    "x86_64": _Machine(
        audit=0xC000003E,
        numbers=_EVERYWHERE
        | {
            "shmget": 29,
            "ptrace": 101,
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
            "perf_event_open": 298,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "kcmp": 312,
            "memfd_create": 319,
            "bpf": 321,
            "userfaultfd": 323,
        },
    ),
    "aarch64": _Machine(
        audit=0xC00000B7,
        numbers=_EVERYWHERE
        | {
            "ptrace": 117,
            "shmget": 194,
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
            "perf_event_open": 241,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "kcmp": 272,
            "memfd_create": 279,
            "bpf": 280,
            "userfaultfd": 282,
        },
    ),
}
# "This kernel is too old for it": libraries then take their other way instead of failing.
_AS_IF_OLD = frozenset({"memfd_create", "memfd_secret", "shmget", "io_uring_setup"})

_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in struct seccomp_data
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_X32 = 0x40000000  # the second numbering that x86-64 kernels also take


def seccomp_filter(machine: str | None = None) -> bytes | None:
    """The filter as classic BPF in this machine's byte order, or None for an architecture that has no table here."""
    known = _MACHINES.get(machine or platform.machine())
    if known is None:
        return None
    steps = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_IF_EQUAL, known.audit, if_true=1),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
        _step(_IF_AT_LEAST, _X32, if_false=1),
        _step(_RETURN, _ERRNO | errno.ENOSYS),
    ]
    for name, number in sorted(known.numbers.items()):
        code = errno.ENOSYS if name in _AS_IF_OLD else errno.EPERM
        steps += [_step(_IF_EQUAL, number, if_false=1), _step(_RETURN, _ERRNO | code)]
    steps.append(_step(_RETURN, _ALLOW))
    return b"".join(steps)


def _step(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, operand)


@contextlib.contextmanager
def filter_descriptor() -> Iterator[int | None]:
    """A descriptor that gives the filter once, for `bwrap --seccomp`; None where there is no filter."""
    program = seccomp_filter()
    if program is None:
        yield None
        return
    reader, writer = os.pipe()
    try:
        os.write(writer, program)  # far below a pipe's 64 KiB: never blocks
    finally:
        os.close(writer)
    try:
        yield reader
    finally:
        os.close(reader)
