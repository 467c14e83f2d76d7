# ruff: noqa: PTH123, PTH208, SIM115
"""Looks for a variable of the launcher in every process that it can see."""

import os

seen = 0
for pid in filter(str.isdigit, os.listdir("/proc")):
    for name in ("environ", "cmdline"):
        try:
            text = open(f"/proc/{pid}/{name}", "rb").read()
        except OSError:
            continue
        seen += 1
        if b"ALIGNBOT_TEST_SECRET" in text:
            print(f"ESCAPED: /proc/{pid}/{name} holds the secret")
if "ALIGNBOT_TEST_SECRET" in os.environ:
    print("ESCAPED: the secret was handed down")
print("looked at", seen > 0)
