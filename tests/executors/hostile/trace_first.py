"""Attaches to the namespace's first process, which stops it, and ends."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
attached = libc.ptrace(16, 1, 0, 0) == 0
print("attached" if attached else "refused", flush=True)
os._exit(0)
