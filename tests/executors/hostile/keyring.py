"""Puts a key into the keyring of the launcher's session."""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
numbers = (217, 219) if __import__("platform").machine() == "aarch64" else (248, 250)
if libc.syscall(numbers[0], b"user", b"alignbot-test", b"x", 1, -3) >= 0:
    print("ESCAPED: add_key")
if libc.syscall(numbers[1], 0, -3, 0) >= 0:
    print("ESCAPED: keyctl")
print("done")
