# ruff: noqa: F821
"""Writes everything but reports into the channel, among true-looking ones."""

import json
import os


def tell(line):
    line += b"\n"
    while line:
        line = line[os.write(CHANNEL, line) :]


tell(b"")
tell(b"\x00\xff\xfe")
tell(b"[" * 100_000)
tell(b'{"event": "end"}')
tell(b'{"event": "end", "exit_code": 3}')
tell(b'{"event": "nonsense"}')
tell(b'{"event": "divergence", "divergence": {"op": "\\ud800", "overload": "", "dtype": "", "kind": "value"}}')
tell(b'{"event": "divergence", "divergence": {"op": 1}}')
tell(b'{"event": "refused", "why": "late"}')
tell(b'{"event": "environment", "environment": {}, "device": {"type": "xpu", "name": "forged"}}')
tell(b'{"event": "end", "exit_code": ' + b"9" * 10_000 + b"}")
tell(b"x" * (5 << 20))
for _ in range(300):
    tell(
        json.dumps(
            {
                "event": "divergence",
                "divergence": {"op": "add", "overload": "Tensor", "dtype": "float16", "kind": "value"},
            }
        ).encode()
    )
