# status: killed
# why: memory
# timeout_s: 20
import subprocess
import sys

subprocess.run([sys.executable, "-I", "-c", "import time; kept = b'x' * (600 << 20); time.sleep(600)"])
