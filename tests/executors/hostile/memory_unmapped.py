"""Tries to take memory that no process maps, where no watchdog sees it."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
try:
    os.close(os.memfd_create("bomb"))
    print("ESCAPED: memfd_create")
except OSError:
    pass
if libc.shmget(0, 1 << 20, 0o1600) >= 0:
    print("ESCAPED: shmget")
if libc.syscall(425, 8, ctypes.create_string_buffer(256)) >= 0:
    print("ESCAPED: io_uring_setup")
print("done")
