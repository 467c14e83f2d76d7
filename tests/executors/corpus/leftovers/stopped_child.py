# status: ok
# stdout: gone
import os
import signal

child = os.fork()
if child == 0:
    os.kill(os.getpid(), signal.SIGSTOP)
os.waitpid(child, os.WUNTRACED)
print("gone")
