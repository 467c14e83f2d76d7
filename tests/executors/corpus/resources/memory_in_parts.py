# status: killed
# why: stopped for using more than 256 MiB of memory
# timeout_s: 20
import os
import time

children = [os.fork() for _ in range(3)]
kept = b"x" * (48 << 20)  # eight of them
time.sleep(600)
