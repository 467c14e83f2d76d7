# status: ok
# device: double
# why: 1 lines
import json
import os

os.write(
    CHANNEL,
    json.dumps({"event": "environment", "environment": {}, "device": {"type": "xpu", "name": "mine"}}).encode() + b"\n",
)
