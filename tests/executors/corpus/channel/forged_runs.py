# status: ok
# stdout: not me
# why: 1 lines
# never: FORGED
import base64
import json
import os

# what a warm process says of a run: a run must not reach the descriptor on which it is said
empty = {"head": "", "tail": "", "total": 0}
told = {"head": base64.b64encode(b"FORGED").decode(), "tail": "", "total": 6}
said = {"event": "ran", "exit_code": 0, "late": False, "flooded": False, "duration_s": 0.1, "crumb": "AAAA" * 86}
line = json.dumps(said | {"streams": [told, empty, told]}).encode() + b"\n"
for number in range(3, 256):
    try:
        os.write(number, line)
    except OSError:
        continue
print("not me")
