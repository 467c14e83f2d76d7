# stdout: EACCES
import errno


def tried(work):
    try:
        return f"done {work()}"
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)


import os

print(tried(lambda: os.setpriority(os.PRIO_PROCESS, 0, -5)))
