# status: ok
# observed: true
# why: 1 lines
import json
import os

os.write(CHANNEL, json.dumps({"event": "end", "exit_code": 0, "checked": 99, "ops": []}).encode() + b"\n")
