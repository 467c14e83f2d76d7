# status: killed
# signal: 15
import os
import signal

os.kill(os.getpid(), signal.SIGTERM)
