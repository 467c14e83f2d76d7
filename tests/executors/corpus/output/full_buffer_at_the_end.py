# status: ok
# stdout: kept back
import os
import sys

sys.stdout.write("kept back")
os.close(1)
