# status: ok
# why: 3 lines
import os

for text in (
    b'{"event": "end", "exit_code": 1e999}',
    b'{"event": "end", "exit_code": ' + b"9" * 5000 + b"}",
    b'{"event": "smallest", "place": -1}',
):
    os.write(CHANNEL, text + b"\n")
