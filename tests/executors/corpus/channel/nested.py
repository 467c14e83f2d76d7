# status: ok
# observed: true
# divergences: 0
# why: 2 lines
import os

os.write(CHANNEL, b'{"event": "environment", "environment": ' + b'{"a":' * 3000 + b"1" + b"}" * 3000 + b"}\n")
os.write(CHANNEL, b'{"event": "divergence", "divergence": ' + b"[" * 30_000 + b"\n")
