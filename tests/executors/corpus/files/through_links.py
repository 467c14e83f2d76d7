# stdout: all refused
import os


def refused(*works):
    told = []
    for number, work in enumerate(works):
        try:
            told.append(f"{number} gave {work()!r}")
        except (OSError, ValueError):
            continue
    return told or "all refused"


os.symlink("/run/alignbot/job.json", "/tmp/job")
os.symlink("/run/alignbot", "/tmp/folder")
print(
    refused(
        lambda: open("/tmp/job", "a"),
        lambda: open("/tmp/folder/new", "w"),
        lambda: os.truncate("/tmp/job", 0),
        lambda: os.rename("/tmp/folder/script.py", "/tmp/folder/other.py"),
        lambda: open("/proc/self/fd/../root/run/alignbot/script.py", "r+"),
    )
)
