"""Tries to reach the launcher's machine and the world."""

import socket

for family, address in [
    (socket.AF_INET, ("127.0.0.1", int("@PORT@"))),
    (socket.AF_UNIX, "\0@NAME@"),
    (socket.AF_INET, ("1.1.1.1", 53)),
]:
    with socket.socket(family, socket.SOCK_STREAM) as door:
        door.settimeout(1)
        try:
            door.connect(address)
        except OSError:
            continue
        print("ESCAPED: connected to", address)
print("interfaces", [name for _, name in socket.if_nameindex()])
print("done")
