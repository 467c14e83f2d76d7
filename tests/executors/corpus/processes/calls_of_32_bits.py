# machine: x86_64
# status: killed
# never: passed
import ctypes
import mmap

# mov eax, 20 (getpid by the old numbers); int 0x80; ret: the filter must not be talked past by another numbering
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex("b8 14 00 00 00 cd 80 c3"))
print("passed", ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))())
