# status: timeout
# timeout_s: 1
import atexit
import time

atexit.register(time.sleep, 600)
