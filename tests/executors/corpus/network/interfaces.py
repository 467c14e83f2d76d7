# stdout: ['lo']
import socket

print([name for _, name in socket.if_nameindex()])
