# status: killed
# why: stopped for using more than 256 MiB of memory
# timeout_s: 20
import subprocess
import sys

subprocess.run([sys.executable, "-I", "-c", "import time; kept = b'x' * (600 << 20); time.sleep(600)"])
