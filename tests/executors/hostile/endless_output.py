"""Prints without end."""

import os

os.write(1, "first é line\n".encode())
while True:
    os.write(1, b"\xff" * 65536)
