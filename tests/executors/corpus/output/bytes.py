# status: ok
# stdout: \ufffd\x00\x1b[31mred
import sys

sys.stdout.buffer.write(b"\xff\x00\x1b[31mred\n")
