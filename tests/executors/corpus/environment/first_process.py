# stdout: nothing there
# never: SECRET
from pathlib import Path

told = []
for place in Path("/proc").glob("[0-9]*/environ"):
    try:
        told.append(place.read_bytes())
    except OSError:
        continue
print("nothing there" if b"SECRET" not in b"".join(told) else "leaked")
