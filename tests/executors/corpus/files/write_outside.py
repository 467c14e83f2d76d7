# stdout: all refused
import errno


def tried(work):
    try:
        return f"done {work()}"
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)


import sys
from pathlib import Path

places = [
    "/usr/x",
    "/x",
    "/etc/x",
    "/dev/x",
    "/run/alignbot/x",
    "/run/alignbot/script.py",
    "/run/alignbot/job.json",
    "/run/alignbot/harness/observe.py",
    "/proc/sys/kernel/core_pattern",
    "/proc/sysrq-trigger",
    "/sys/x",
    f"{sys.prefix}/x",
    sys.executable,
]
told = {place: tried(lambda place=place: Path(place).write_text("x")) for place in places}
left = {place: said for place, said in told.items() if said not in ("EROFS", "EACCES", "EPERM", "ENOENT", "ETXTBSY")}
print("all refused" if not left else left)
