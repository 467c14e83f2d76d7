# stdout: all refused
import errno


def tried(work):
    try:
        return f"done {work()}"
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)


import os

told = [
    tried(lambda: os.link("/run/alignbot/job.json", "/tmp/job")),
    tried(lambda: os.rename("/run/alignbot/job.json", "/tmp/j")),
    tried(lambda: os.unlink("/run/alignbot/script.py")),
    tried(lambda: os.chmod("/run/alignbot/job.json", 0o777)),
]
print("all refused" if not [one for one in told if one.startswith("done")] else told)
