# status: ok
# exit_code: 0
# observed: true
# why: 3 lines
import os

for code in (0, 0, 7):
    os.write(CHANNEL, b'{"event": "end", "exit_code": %d}\n' % code)
