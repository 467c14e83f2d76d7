# stdout: ENOSPC
import errno


def tried(work):
    try:
        return f"done {work()}"
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)


def fill():
    with open("/tmp/full", "wb") as file:
        while True:
            file.write(bytes(1 << 20))
            file.flush()


print(tried(fill))
