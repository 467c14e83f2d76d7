# status: killed
# why: stopped for using more than 256 MiB of memory
# timeout_s: 20
import mmap
import time

kept = mmap.mmap(-1, 2 << 30)
for offset in range(0, 2 << 30, 16 << 20):
    kept[offset : offset + (16 << 20)] = b"x" * (16 << 20)
time.sleep(600)
