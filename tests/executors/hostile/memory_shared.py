"""Takes 2 GiB of anonymous shared memory, which RLIMIT_DATA does not count."""

import mmap
import time

kept = mmap.mmap(-1, 2 << 30)
for offset in range(0, 2 << 30, 16 << 20):
    kept[offset : offset + (16 << 20)] = b"x" * (16 << 20)
print("ESCAPED: 2 GiB shared")
time.sleep(60)
