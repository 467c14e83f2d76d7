# status: timeout
# timeout_s: 0.5
# stdout: asleep
# why: stopped after 0.5 s
import time

print("asleep", flush=True)
time.sleep(600)
