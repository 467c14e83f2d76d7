"""The system calls that a script may not make, as a filter that bubblewrap installs.

Namespaces leave some of these open: they reach past the memory watchdog (segments that no process maps), past the
namespace (the session keyring is shared with the launcher) or into the namespace's first process. The others need
rights that a script does not have; a kernel that gets them wrong shall not be asked. clone with a new namespace among
its flags is refused; clone3, whose flags no filter can read, does not exist.
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
    clone: int
    socket: int


_EVERYWHERE = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428, "move_mount": 429,
    "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "clone3": 435, "pidfd_getfd": 438,
    "process_madvise": 440, "mount_setattr": 442, "quotactl_fd": 443, "memfd_secret": 447,
}  # fmt: skip
_MACHINES = {
    "x86_64": _Machine(
        audit=0xC000003E,
        clone=56,
        socket=41,
        numbers=_EVERYWHERE
        | {
            "shmget": 29, "semget": 64, "msgget": 68,
            "ptrace": 101, "syslog": 103, "personality": 135, "vhangup": 153, "modify_ldt": 154,
            "pivot_root": 155, "adjtimex": 159, "chroot": 161, "acct": 163, "settimeofday": 164, "mount": 165,
            "umount2": 166, "swapon": 167, "swapoff": 168, "reboot": 169, "sethostname": 170, "setdomainname": 171,
            "iopl": 172, "ioperm": 173, "init_module": 175, "delete_module": 176, "quotactl": 179,
            "lookup_dcookie": 212, "clock_settime": 227, "kexec_load": 246, "add_key": 248, "request_key": 249,
            "keyctl": 250, "unshare": 272, "perf_event_open": 298, "fanotify_init": 300, "name_to_handle_at": 303,
            "open_by_handle_at": 304, "clock_adjtime": 305, "setns": 308, "process_vm_readv": 310,
            "process_vm_writev": 311, "kcmp": 312, "finit_module": 313, "memfd_create": 319, "kexec_file_load": 320,
            "bpf": 321, "userfaultfd": 323,
        },
    ),
    "aarch64": _Machine(
        audit=0xC00000B7,
        clone=220,
        socket=198,
        numbers=_EVERYWHERE
        | {
            "lookup_dcookie": 18, "umount2": 39, "mount": 40, "pivot_root": 41, "chroot": 51, "vhangup": 58,
            "quotactl": 60, "acct": 89, "personality": 92, "unshare": 97, "kexec_load": 104, "init_module": 105,
            "delete_module": 106, "clock_settime": 112, "syslog": 116, "ptrace": 117, "reboot": 142, "sethostname": 161,
            "setdomainname": 162, "settimeofday": 170, "adjtimex": 171, "msgget": 186, "semget": 190, "shmget": 194,
            "add_key": 217,
            "request_key": 218, "keyctl": 219, "swapon": 224, "swapoff": 225, "perf_event_open": 241,
            "fanotify_init": 262, "name_to_handle_at": 264, "open_by_handle_at": 265, "clock_adjtime": 266,
            "setns": 268, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272, "finit_module": 273,
            "memfd_create": 279, "bpf": 280, "userfaultfd": 282, "kexec_file_load": 294,
        },
    ),
}  # fmt: skip
"""Numbers of the kernel's own headers: `asm/unistd_64.h` of x86-64, `asm-generic/unistd.h` for aarch64."""
# "This kernel is too old for it": libraries then take their other way instead of failing; of clone3 that is clone.
_AS_IF_OLD = frozenset({"memfd_create", "memfd_secret", "shmget", "semget", "msgget", "io_uring_setup", "clone3"})
_NEW_NAMESPACES = 0x7E020000
"""CLONE_NEW* among clone's flags: mount, cgroup, uts, ipc, user, pid, net."""
_FAMILIES = {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16}
"""Of sockets. The network namespace does not hold the others: vsock reaches the machine that this one is a guest of."""

_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data; little-endian: its low half
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
    steps += [
        _step(_IF_EQUAL, known.clone, if_false=4),
        _step(_LOAD, _FIRST_ARGUMENT),
        _step(_IF_ANY_BIT, _NEW_NAMESPACES, if_false=1),
        _step(_RETURN, _ERRNO | errno.EPERM),
        _step(_RETURN, _ALLOW),
        *_sockets(known.socket),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(steps)


def _sockets(number: int) -> Iterator[bytes]:
    """Refuse `socket` for a family that is not on the list; the call's number is loaded."""
    yield _step(_IF_EQUAL, number, if_false=len(_FAMILIES) + 2)
    yield _step(_LOAD, _FIRST_ARGUMENT)
    for place, family in enumerate(sorted(_FAMILIES.values())):
        yield _step(_IF_EQUAL, family, if_true=len(_FAMILIES) - place)
    yield _step(_RETURN, _ERRNO | errno.EAFNOSUPPORT)


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
