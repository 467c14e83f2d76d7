# status: ok
# exit_code: 0
# stderr: ZeroDivisionError
import threading

thread = threading.Thread(target=lambda: 1 / 0)
thread.start()
thread.join()
