# A message as exit code, with standard output closed.
import sys

print("hello")
sys.stdout.close()
sys.exit("bye é")
