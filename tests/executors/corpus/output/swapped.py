# status: ok
# stderr: went astray
import os

os.dup2(2, 1)
os.write(1, b"went astray\n")
