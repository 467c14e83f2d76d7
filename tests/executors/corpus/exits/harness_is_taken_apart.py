# status: error
# exit_code: 1
# observed: false
# cold: the harness's last step is the interpreter's, which finds no sys.exit
import os
import sys

sys.modules.clear()
sys.path.clear()
sys.exit = os._exit = None
