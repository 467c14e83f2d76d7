# status: killed
# signal: 13
import os
import signal

signal.signal(signal.SIGPIPE, signal.SIG_DFL)
reader, writer = os.pipe()
os.close(reader)
os.write(writer, b"x")
