# status: error
# exit_code: 130
import os
import signal

# whoever starts the tests in the background may have had it ignored
signal.signal(signal.SIGINT, signal.default_int_handler)
os.kill(os.getpid(), signal.SIGINT)
