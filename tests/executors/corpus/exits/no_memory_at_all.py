# status: killed
# exit_code: None
# signal: 11
# stdout: falling
# why: SIGSEGV
import ctypes

print("falling", flush=True)
ctypes.string_at(0)
