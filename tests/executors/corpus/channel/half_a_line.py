# status: ok
# observed: false
# why: 1 lines
import os

os.write(CHANNEL, b'{"event": "environment", "environment": {"a": "')
