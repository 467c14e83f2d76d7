# stdout: end at once ''
import sys

print("end at once", repr(sys.stdin.read()))
