# status: killed
# why: processes
# timeout_s: 20
import os
import time

while True:
    try:
        if os.fork() == 0:
            time.sleep(60)
    except OSError:
        time.sleep(0.01)
