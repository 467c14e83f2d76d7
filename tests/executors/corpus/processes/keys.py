# stdout: none
import ctypes
import platform

libc = ctypes.CDLL(None, use_errno=True)
add_key, keyctl = (217, 219) if platform.machine() == "aarch64" else (248, 250)
taken = [libc.syscall(add_key, b"user", b"alignbot-test", b"x", 1, where) for where in (-1, -2, -3, -4, -5)]
taken += [libc.syscall(keyctl, 0, where, 0) for where in (-3, -4, -5)]
print("none" if set(taken) == {-1} else taken)
