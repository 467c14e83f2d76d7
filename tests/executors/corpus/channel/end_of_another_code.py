# status: error
# exit_code: 9
# observed: false
# why: 1 lines
import os

os.write(CHANNEL, b'{"event": "end", "exit_code": 0}\n')
os._exit(9)
