# status: killed
# timeout_s: 20
import mmap
import errno

with open("/tmp/backing", "w+b") as file:
    try:
        file.truncate(8 << 30)
        kept = mmap.mmap(file.fileno(), 8 << 30)
        for offset in range(0, 8 << 30, 16 << 20):
            kept[offset : offset + (16 << 20)] = b"x" * (16 << 20)
    except OSError as error:
        print(errno.errorcode[error.errno])
