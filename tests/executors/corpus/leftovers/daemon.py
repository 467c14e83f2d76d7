# status: ok
# stdout: gone
import os
import signal
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for descriptor in range(16):
            try:
                os.close(descriptor)
            except OSError:
                pass
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    os._exit(0)
print("gone")
