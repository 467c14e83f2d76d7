"""Leaves without a word."""

import os

print("gone", flush=True)
os._exit(0)
