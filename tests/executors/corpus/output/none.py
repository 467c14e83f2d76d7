# status: ok
# observed: true
import sys

sys.stdout = sys.stderr = None
