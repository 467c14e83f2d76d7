# stdout: all refused
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def refused(*works):
    told = []
    for number, work in enumerate(works):
        try:
            told.append(f"{number} gave {work()!r}")
        except (OSError, ValueError):
            continue
    return told or "all refused"


def enter(kind):
    if libc.setns(os.open(f"/proc/1/ns/{kind}", os.O_RDONLY), 0) < 0:
        raise OSError(ctypes.get_errno(), kind)


def leave(flag):
    if libc.unshare(flag) < 0:
        raise OSError(ctypes.get_errno(), "unshare")


kinds = ("user", "mnt", "net", "pid", "ipc", "uts", "cgroup")
flags = (0x10000000, 0x20000, 0x40000000, 0x20000000, 0x8000000, 0x4000000, 0x2000000, 0x10020000)
print(refused(*(lambda one=one: enter(one) for one in kinds), *(lambda one=one: leave(one) for one in flags)))
