# status: error
# exit_code: 1
# stderr: it is over
import sys

sys.exit("it is over")
