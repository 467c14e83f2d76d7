# stdout: none
import os

me, taken = os.readlink("/proc/self"), []
for process in [one for one in os.listdir("/proc") if one.isdigit() and one not in (me, "1")]:
    for name in ("mem", "environ", "maps", "auxv", "cwd/.", "root/tmp", "map_files"):
        place = f"/proc/{process}/{name}"
        try:
            taken.append((place, os.listdir(place) if os.path.isdir(place) else os.close(os.open(place, os.O_RDONLY))))
        except OSError:
            continue
print(taken or "none")
