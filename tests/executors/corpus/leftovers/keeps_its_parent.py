# status: ok
# stdout: gone
import ctypes
import os
import time

adopt_orphans, end_with_parent = 36, 1
libc = ctypes.CDLL(None)
libc.prctl(adopt_orphans, 1, 0, 0, 0)
if os.fork() == 0:
    libc.prctl(end_with_parent, 0, 0, 0, 0)
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
os.wait()
print("gone")
