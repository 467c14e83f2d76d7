# status: killed
# signal: 6
# underway: none
import os

CRUMB[:] = b"\xff" * 256
os.abort()
