# status: timeout
# timeout_s: 0.5
import threading
import time

threading.Thread(target=time.sleep, args=(600,)).start()
print("main is done")
