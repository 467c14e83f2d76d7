# status: ok
# exit_code: 0
# observed: false
import os

os.close(CHANNEL)
