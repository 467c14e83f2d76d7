# ruff: noqa: F821
"""Writes one endless line into the channel."""

import os

while True:
    os.write(CHANNEL, b"x" * 65536)
