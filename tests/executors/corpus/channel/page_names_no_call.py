# status: killed
# signal: 6
# underway: none
import os
import struct

name = b"; rm -rf / #"
CRUMB[: 11 + len(name)] = struct.pack("<BQH", 1, 1, len(name)) + name
os.abort()
