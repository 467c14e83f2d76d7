# status: timeout
# timeout_s: 1
import threading
import time

threading.Thread(target=time.sleep, args=(600,)).start()
print("main is done")
