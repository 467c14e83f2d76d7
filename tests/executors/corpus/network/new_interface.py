# stdout: error -1 ['lo']
import socket
import struct

# RTM_NEWLINK, request | acknowledge | create: a link named by the kernel of kind `dummy`
kind = struct.pack("HH5s3x", 9, 1, b"dummy")
body = struct.pack("BxHiII", 0, 0, 0, 0, 0) + struct.pack("HH", 4 + len(kind), 18) + kind
with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as netlink:
    netlink.send(struct.pack("IHHII", 16 + len(body), 16, 0x405, 1, 0) + body)
    answer = netlink.recv(4096)
print("error", struct.unpack_from("i", answer, 16)[0], [name for _, name in socket.if_nameindex()])
