# status: ok
# exit_code: 0
import os

os.close(1)
os.close(2)
