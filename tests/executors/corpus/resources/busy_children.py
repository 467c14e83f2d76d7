# status: timeout
# timeout_s: 0.5
import os

for _ in range(3):
    os.fork()
while True:
    pass
