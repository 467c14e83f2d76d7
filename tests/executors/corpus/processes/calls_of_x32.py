# machine: x86_64
# stdout: -1 ENOSYS
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
print(libc.syscall(0x40000000 | 39), errno.errorcode[ctypes.get_errno()])
