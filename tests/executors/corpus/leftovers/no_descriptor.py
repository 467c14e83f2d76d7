# status: timeout
# timeout_s: 0.5
# observed: false
import os
import time

os.closerange(0, 4096)
time.sleep(600)
