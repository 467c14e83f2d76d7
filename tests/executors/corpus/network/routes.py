# stdout: none
from pathlib import Path

known = Path("/proc/net/route").read_text().splitlines()[1:]
neighbours = Path("/proc/net/arp").read_text().splitlines()[1:]
print("none" if not known and not neighbours else (known, neighbours))
