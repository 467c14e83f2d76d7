# stdout: all refused
import os
import socket
import time


def refused(*works):
    told = []
    for number, work in enumerate(works):
        try:
            told.append(f"{number} gave {work()!r}")
        except (OSError, ValueError):
            continue
    return told or "all refused"


print(
    refused(
        lambda: socket.sethostname("mine"),
        lambda: time.clock_settime(time.CLOCK_REALTIME, 0),
        lambda: os.setuid(0),
        lambda: os.setgroups([0]),
        lambda: os.setresgid(0, 0, 0),
        lambda: os.chroot("/tmp"),
    )
)
