# status: timeout
# timeout_s: 0.5
import os
import signal

for number in (1, os.getppid(), -1):
    for kind in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(number, kind)
        except OSError:
            continue
os.kill(os.getpid(), signal.SIGSTOP)
