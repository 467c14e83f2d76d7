# status: killed
# signal: 6
# last_call: none
import os
import struct

name = b"aten::mul.Tensor"
CRUMB[: 11 + len(name)] = struct.pack("<BQH", 1, 1, len(name)) + name
os.abort()
