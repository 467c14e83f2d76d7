# ruff: noqa: PTH123, SIM115, S108
"""Asks for namespaces and mounts of its own."""

import ctypes
import os

if os.uname().nodename != "sandbox":
    raise SystemExit("ESCAPED: this is no sandbox")  # outside one the rest would do harm

libc = ctypes.CDLL(None, use_errno=True)
for name, flag in {"user": 0x10000000, "mount": 0x20000, "net": 0x40000000, "pid": 0x20000000}.items():
    if libc.unshare(flag) == 0:
        print("ESCAPED: a new namespace:", name)
if libc.unshare(0x10000000 | 0x20000) == 0:
    print("ESCAPED: new user and mount namespaces")
if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0:
    print("ESCAPED: mount")
for call in (
    lambda: os.setuid(0),
    lambda: os.chroot("/tmp"),
    lambda: os.mknod("/tmp/disk", 0o60666, os.makedev(254, 0)),
):
    try:
        call()
    except OSError:
        continue
    print("ESCAPED: a privilege")
for line in open("/proc/self/status"):
    if line.startswith(("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")) and int(line.split()[1], 16):
        print("ESCAPED: a capability is left:", line.strip())
    if line.startswith("NoNewPrivs") and line.split()[1] != "1":
        print("ESCAPED: a set-user-id program would be one")
print("done")
