# status: killed
# why: more files than
# timeout_s: 20
import os

number = 0
while True:
    os.mkdir(f"/tmp/{number}")
    number += 1
