# status: ok
# stdout: still here
import os
import signal

for number in (1, -1):
    try:
        os.kill(number, signal.SIGKILL if number == 1 else 0)
    except OSError:
        pass
print("still here")
