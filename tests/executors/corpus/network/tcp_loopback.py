# stdout: nothing reached
import errno


def tried(work):
    try:
        return f"done {work()}"
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)


import socket

told = {tried(lambda host=host: socket.create_connection((host, 80), 2)) for host in ("127.0.0.1", "1.1.1.1")}
print("nothing reached" if told <= {"ENETUNREACH", "ECONNREFUSED"} else told)
