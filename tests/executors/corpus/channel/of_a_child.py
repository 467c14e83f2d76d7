# status: ok
# exit_code: 0
# observed: true
# why: 3 lines
import os

if os.fork() == 0:
    for _ in range(3):
        os.write(CHANNEL, b'{"event": "end", "exit_code": 4}\n')
    os._exit(4)
os.wait()
