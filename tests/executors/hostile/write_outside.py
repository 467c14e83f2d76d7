# ruff: noqa: PTH108, PTH116, PTH118, PTH120, PTH123, S108
"""Tries to create, open for writing and touch files everywhere but in /tmp. Writes nothing into a file that opens."""

import os
import sys

if os.uname().nodename != "sandbox":
    raise SystemExit("ESCAPED: this is no sandbox")  # outside one the rest would do harm

folders = ["/", "/usr", "/usr/bin", "/etc", "/run", "/run/alignbot", "/run/alignbot/harness", "/dev", "/sys", "/root"]
folders += [sys.prefix, sys.base_prefix, os.path.dirname(os.__file__), "/proc", "/proc/sys/kernel"]
for folder in folders:
    path = os.path.join(folder, "alignbot-was-here")
    try:
        open(path, "x").close()
    except OSError:
        continue
    print("ESCAPED: wrote into", folder)
    os.unlink(path)
files = ["/run/alignbot/script.py", "/run/alignbot/job.json", os.__file__, "/etc/ld.so.cache", sys.executable]
files += ["/proc/sysrq-trigger", "/proc/1/mem", "/proc/1/oom_score_adj"]
files += [os.path.join(folder, name) for folder, _, names in os.walk("/proc/sys") for name in names]
files += [os.path.join(folder, name) for folder, _, names in os.walk("/sys") for name in names]
for path in files:
    try:
        os.close(os.open(path, os.O_WRONLY))
    except OSError:
        pass
    else:
        print("ESCAPED: opened for writing", path)
    try:
        before = os.stat(path)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    except OSError:
        continue
    print("ESCAPED: touched", path)
with open("/tmp/mine", "w") as file:
    file.write("fine")
print("done")
