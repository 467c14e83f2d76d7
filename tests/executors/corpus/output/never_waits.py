# status: ok
# stdout: the last line
import os

os.set_blocking(1, False)
written = 0
for _ in range(10_000):
    try:
        written += os.write(1, b"x" * 4096)
    except BlockingIOError:
        continue
os.set_blocking(1, True)
print("\nthe last line")
