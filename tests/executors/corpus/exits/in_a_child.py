# status: ok
# exit_code: 0
# stdout: 7
import os

if os.fork() == 0:
    os._exit(7)
print(os.waitstatus_to_exitcode(os.wait()[1]))
