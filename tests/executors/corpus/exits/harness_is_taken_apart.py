# status: ok
# exit_code: 0
# observed: true
import os
import sys

sys.modules.clear()
sys.path.clear()
sys.exit = os._exit = None
