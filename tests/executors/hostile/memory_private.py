"""Takes 2 GiB, a page at a time."""

import time

kept = [b"x" * (16 << 20) for _ in range(128)]
print("ESCAPED: 2 GiB private")
time.sleep(60)
