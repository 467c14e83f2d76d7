# stdout: nobody's
import os

seen = [
    place
    for place in ("/home", "/root", "/etc/passwd", "/etc/shadow", "/var", "/srv", "/boot")
    if os.path.exists(place)
]
# the interpreter may live below a home: then its own folders are there, and nothing beside them
print("nobody's" if not set(seen) - {"/home", "/root"} else seen)
