# status: timeout|killed
# timeout_s: 0.5
# observed: false
# why: ignored
import os

while True:
    os.write(CHANNEL, b"x" * 65536)
