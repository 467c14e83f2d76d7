# status: timeout
# timeout_s: 0.5
import atexit
import time

atexit.register(time.sleep, 600)
