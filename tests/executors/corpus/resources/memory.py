# status: killed
# why: memory
# timeout_s: 30
kept = []
while True:
    kept.append(bytearray(b"x" * (8 << 20)))
