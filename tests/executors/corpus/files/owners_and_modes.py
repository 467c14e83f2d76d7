# stdout: all refused
import os
import sys


def refused(*works):
    told = []
    for number, work in enumerate(works):
        try:
            told.append(f"{number} gave {work()!r}")
        except (OSError, ValueError):
            continue
    return told or "all refused"


mine = "/tmp/mine"
open(mine, "w").close()
print(
    refused(
        lambda: os.chown(mine, 0, 0),
        lambda: os.chown(mine, 1000, -1),
        lambda: os.chmod(sys.executable, 0o777),
        lambda: os.utime("/usr"),
        lambda: os.setxattr(mine, "security.capability", b"x" * 20),
    )
)
