# status: killed
# signal: 9
import os
import signal

os.kill(os.getpid(), signal.SIGKILL)
