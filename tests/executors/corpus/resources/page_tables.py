# status: killed
# why: stopped for using more than 256 MiB of memory
# timeout_s: 20
import mmap
import time

# reading a page of a private mapping takes no memory but the table that leads to it
reserve_nothing, gib = 0x4000, 1 << 30
kept = mmap.mmap(-1, 512 * gib, flags=mmap.MAP_PRIVATE | reserve_nothing, prot=mmap.PROT_READ)
for offset in range(0, 512 * gib, 2 << 20):
    kept[offset]
time.sleep(600)
