# stdout: only these
import socket

made = set()
for family in range(64):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        try:
            socket.socket(family, kind).close()
            made.add(family)
        except OSError:
            continue
# vsock (40), packet (17), alg (38), bluetooth (31) and the rest: past the network namespace, or kernel code for nothing
print("only these" if made <= {socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK} else made)
