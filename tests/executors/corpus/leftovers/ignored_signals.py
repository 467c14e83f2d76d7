# status: timeout
# timeout_s: 0.5
# stdout: asleep
import signal
import time

for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP}:
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        continue
print("asleep", flush=True)
time.sleep(600)
