# status: killed
# signal: 6
# underway: none
import os
import struct

CRUMB[:11] = struct.pack("<BQH", 1, 2**64 - 1, 65535)
os.abort()
