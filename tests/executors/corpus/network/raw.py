# stdout: EPERM
import errno


def tried(work):
    try:
        return f"done {work()}"
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)


import socket

print(tried(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)))
