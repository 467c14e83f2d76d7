# stdout: no name
import socket

try:
    print(socket.gethostbyname("github.com"))
except OSError:
    print("no name")
