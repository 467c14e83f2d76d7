# status: timeout
# timeout_s: 0.5
# observed: false
import os
import sys

with open("/tmp/again.py", "w") as file:
    file.write("import os, sys; os.execv(sys.executable, [sys.executable, '-I', '/tmp/again.py'])")
os.execv(sys.executable, [sys.executable, "-I", "/tmp/again.py"])
