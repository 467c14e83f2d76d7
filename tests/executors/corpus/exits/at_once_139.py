# status: killed
# exit_code: None
# signal: 11
# observed: false
import os

os._exit(139)
