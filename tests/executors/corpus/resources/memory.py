# status: killed
# why: stopped for using more than 256 MiB of memory
# timeout_s: 30
kept = []
while True:
    kept.append(bytearray(b"x" * (8 << 20)))
