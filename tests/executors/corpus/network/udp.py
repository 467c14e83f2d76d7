# stdout: nothing sent
import errno


def tried(work):
    try:
        return f"done {work()}"
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)


import socket


def send(host):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        return udp.sendto(b"x", (host, 53))


print("nothing sent" if tried(lambda: send("8.8.8.8")) == "ENETUNREACH" else "sent")
