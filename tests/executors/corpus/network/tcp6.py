# stdout: nothing reached
import errno
import socket

told = set()
for host in ("::1", "2606:4700:4700::1111", "fe80::1%lo"):
    try:
        socket.create_connection((host, 80), 2)
        told.add(host)
    except OSError as error:
        told.add(errno.errorcode.get(error.errno, "no name"))
print(
    "nothing reached"
    if told <= {"ENETUNREACH", "EADDRNOTAVAIL", "ECONNREFUSED", "EAFNOSUPPORT", "EINVAL", "no name"}
    else told
)
