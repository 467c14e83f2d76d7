"""Closes every descriptor and goes on."""

import os
import time

os.closerange(0, 4096)
time.sleep(600)
