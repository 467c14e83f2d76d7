"""Starts 400 processes that stay."""

import os
import time

for _ in range(400):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
time.sleep(60)
