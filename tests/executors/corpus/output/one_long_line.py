# status: ok
# truncated: true
# stdout: bytes left out
import sys

sys.stdout.write("x" * (4 << 20))
