# status: ok
# exit_code: 0
# observed: true
# why: 1 lines on the harness's channel
import json
import os

os.write(CHANNEL, json.dumps({"event": "end", "exit_code": 9, "checked": 99, "ops": []}).encode() + b"\n")
