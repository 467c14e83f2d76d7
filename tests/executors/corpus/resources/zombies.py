# status: killed
# why: processes
# timeout_s: 20
import os
import time

while True:
    if os.fork() == 0:
        os._exit(0)
    time.sleep(0.001)
