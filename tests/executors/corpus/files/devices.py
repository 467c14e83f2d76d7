# stdout: nothing else
import os
import stat

known = set("full null ptmx random tty urandom zero".split())
nodes = set()
for name in os.listdir("/dev"):
    mode = os.stat(f"/dev/{name}", follow_symlinks=False).st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        nodes.add(name)
print("nothing else" if nodes <= known else nodes - known)
