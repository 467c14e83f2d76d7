# ruff: noqa: PTH118, PTH123, S108
"""Fills every place that may be memory in disguise."""

import os

if os.uname().nodename != "sandbox":
    raise SystemExit("ESCAPED: this is no sandbox")  # outside one the rest would do harm

limit = int("@LIMIT@")
for folder in ("/", "/dev", "/dev/shm", "/tmp", "/run", "/dev/pts", "/run/alignbot"):
    taken = 0
    try:
        with open(os.path.join(folder, "fill"), "wb", buffering=0) as file:
            while taken <= 4 * limit:
                taken += file.write(b"x" * 65536)
    except OSError:
        pass
    if taken > limit:
        print("ESCAPED:", folder, "took", taken)
print("done")
