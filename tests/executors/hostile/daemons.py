"""Leaves 20 daemons in sessions of their own; half keep the streams open, half close them."""

import os
import time

for number in range(20):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            if number % 2:
                os.closerange(0, 256)
            time.sleep(600)
        os._exit(0)
print("left")
