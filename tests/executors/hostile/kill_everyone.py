# ruff: noqa: SIM105
"""Kills every process that it may signal, first process and own parent among them, and stops."""

import os
import signal

if os.uname().nodename != "sandbox":
    raise SystemExit("ESCAPED: this is no sandbox")  # outside one the rest would do harm

for pid in (1, os.getppid(), -1):
    for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(pid, number)
        except OSError:
            pass
os.kill(os.getpid(), signal.SIGSTOP)
