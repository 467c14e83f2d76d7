# status: ok
# divergences: 0
import json
import os
import time

made_up = {"op": "add", "overload": "Tensor", "dtype": "float32", "kind": "value", "observed": [1], "expected": [2]}
if os.fork() == 0:
    time.sleep(0.2)
    os.write(CHANNEL, json.dumps({"event": "divergence", "divergence": made_up}).encode() + b"\n")
    os._exit(0)
