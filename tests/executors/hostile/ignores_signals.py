# ruff: noqa: SIM105
"""Ignores what can be ignored and sleeps."""

import signal
import time

for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP}:
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
print("asleep", flush=True)
time.sleep(600)
