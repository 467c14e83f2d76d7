# stdout: EPERM
import errno


def tried(work):
    try:
        return f"done {work()}"
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)


import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def mount():
    if libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None):
        raise OSError(ctypes.get_errno(), "mount")


print(tried(mount))
