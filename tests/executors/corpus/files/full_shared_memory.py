# stdout: ENOSPC
import errno

try:
    with open("/dev/shm/full", "wb") as file:
        while True:
            file.write(bytes(1 << 20))
            file.flush()
except OSError as error:
    print(errno.errorcode[error.errno])
