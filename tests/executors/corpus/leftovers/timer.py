# status: timeout
# timeout_s: 0.5
import signal
import time

signal.signal(signal.SIGALRM, lambda *_: signal.setitimer(signal.ITIMER_REAL, 0.01))
signal.setitimer(signal.ITIMER_REAL, 0.01)
while True:
    try:
        time.sleep(600)
    except BaseException:
        pass
