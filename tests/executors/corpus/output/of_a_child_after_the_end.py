# stdout: first
# never: TOO LATE
import os
import time

if os.fork() == 0:
    time.sleep(5)
    os.write(1, b"TOO LATE\n")
    os._exit(0)
print("first")
