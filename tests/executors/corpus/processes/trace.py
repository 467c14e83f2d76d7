# stdout: all refused
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def call(name, *arguments):
    if getattr(libc, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)


def refused(*works):
    told = []
    for number, work in enumerate(works):
        try:
            told.append(f"{number} gave {work()!r}")
        except (OSError, ValueError):
            continue
    return told or "all refused"


attach, seize, trace_me, place = 16, 0x4206, 0, ctypes.create_string_buffer(64)
print(
    refused(
        lambda: call("ptrace", attach, 1, 0, 0),
        lambda: call("ptrace", seize, os.getppid(), 0, 0),
        lambda: call("ptrace", trace_me, 0, 0, 0),
        lambda: call("process_vm_readv", os.getppid(), place, 1, place, 1, 0),
        lambda: call("process_vm_writev", 1, place, 1, place, 1, 0),
    )
)
