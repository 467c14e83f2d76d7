# status: ok
# why: 2 lines
import os

os.write(CHANNEL, b"[" * 60_000 + b"\n" + b'{"event": "end", "unchecked": ' + b"[" * 5_000 + b"\n")
