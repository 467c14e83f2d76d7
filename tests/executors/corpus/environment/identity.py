# stdout: 65534 65534 sandbox
import os
import socket

print(os.getuid(), os.getgid(), socket.gethostname())
