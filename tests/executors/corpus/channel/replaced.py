# status: ok
# exit_code: 0
# observed: false
import os

os.dup2(os.open("/tmp/mine", os.O_RDWR | os.O_CREAT), CHANNEL)
