# stdout: none
import ctypes
import os

libc, me = ctypes.CDLL(None, use_errno=True), os.readlink("/proc/self")  # not getpid: a warm run sees the outer numbers
own = {os.readlink(f"/proc/self/fd/{number}") for number in range(32) if os.path.exists(f"/proc/self/fd/{number}")}
taken = []
for process in [one for one in os.listdir("/proc") if one.isdigit() and one != me]:
    for number in range(32):
        try:
            if os.readlink(f"/proc/{process}/fd/{number}") not in own:
                taken.append((process, os.open(f"/proc/{process}/fd/{number}", os.O_WRONLY)))
        except OSError:
            continue
for process in range(1, os.getpid()):
    handle = os.pidfd_open(process)
    taken += [(process, number) for number in range(32) if libc.syscall(438, handle, number, 0) >= 0]
print(taken or "none")
