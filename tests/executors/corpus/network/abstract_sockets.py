# stdout: none of the host's
from pathlib import Path

print("none of the host's" if len(Path("/proc/net/unix").read_text().splitlines()) <= 1 else "some")
