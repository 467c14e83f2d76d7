# stdout: bounded
import os

held = 0
try:
    while held < 600 << 20:
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        try:
            while True:
                held += os.write(writer, bytes(65536))
        except BlockingIOError:
            pass
except OSError:
    pass
print("bounded" if held < 256 << 20 else held >> 20)
