# status: killed
# signal: 40
# why: a real-time signal
import os

os.kill(os.getpid(), 40)
