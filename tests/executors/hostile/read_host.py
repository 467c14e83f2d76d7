# ruff: noqa: PTH112, PTH123, PTH208, S108, SIM115
"""Tries to read what belongs to the host."""

import os
import sys

for path in [
    "/etc/passwd",
    "/etc/shadow",
    "/etc/hostname",
    "/etc/resolv.conf",
    "@SECRET@",
    "/proc/kcore",
    "/dev/mem",
    "/var/log",
]:
    try:
        os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(1)
    except OSError:
        continue
    print("ESCAPED: read", path)
# An interpreter that lies below the host's /tmp is shown there, and nothing else is.
ours = (sys.prefix, sys.base_prefix, *sys.path)
foreign = [name for name in os.listdir("/tmp") if not any(path.startswith(f"/tmp/{name}") for path in ours)]
if foreign:
    print("ESCAPED: /tmp is the host's:", foreign)
for folder, inner, files in os.walk("@HOME@"):
    for name in files:
        if name == "@NAME@":
            print("ESCAPED: found", folder, name)
    if folder.count("/") > 3:
        inner.clear()
print(os.uname().nodename)
print("done")
