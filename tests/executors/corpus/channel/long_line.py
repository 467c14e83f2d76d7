# status: ok
# why: 1 lines
# never: xxxxxxxx
import os

line = b"x" * (20 << 20) + b"\n"
while line:
    line = line[os.write(CHANNEL, line) :]
