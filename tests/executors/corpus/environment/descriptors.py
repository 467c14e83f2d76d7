# stdout: no more
import os

allowed = {"/dev/null": 1, "pipe": 3, "/memfd": 1}
for number in os.listdir("/proc/self/fd"):
    try:
        kind = os.readlink(f"/proc/self/fd/{number}").partition(":")[0]
    except OSError:
        continue  # the folder that was read
    allowed[kind] = allowed.get(kind, 0) - 1
print("no more" if min(allowed.values()) >= 0 else allowed)
