# status: error
# exit_code: 5
# observed: false
import os

os._exit(5)
