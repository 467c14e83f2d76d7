# status: timeout|killed
# timeout_s: 0.5
# truncated: true
# stderr: bytes left out
import os

os.write(2, b"first\n")
while True:
    os.write(2, b"line\n" * 5000)
