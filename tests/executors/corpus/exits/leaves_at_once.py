# status: ok
# exit_code: 0
# observed: false
# stdout: gone
import os

print("gone", flush=True)
os._exit(0)
