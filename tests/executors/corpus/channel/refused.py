# status: ok
# why: 1 lines
import json
import os

os.write(CHANNEL, json.dumps({"event": "refused", "why": "no"}).encode() + b"\n")
