# status: killed
# why: more threads than
# timeout_s: 20
# memory_mib: 1024
import threading
import time

threading.stack_size(65536)
while True:
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
