# status: ok
# stdout: last words
import atexit

atexit.register(lambda: print("last words"))
