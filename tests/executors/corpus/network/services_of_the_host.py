# stdout: none
import glob
import os
import stat

places = (
    glob.glob("/run/**", recursive=True) + glob.glob("/tmp/**", recursive=True) + glob.glob("/dev/**", recursive=True)
)
doors = [place for place in places if os.path.exists(place) and stat.S_ISSOCK(os.stat(place).st_mode)]
print("none" if not doors and not glob.glob("/var/run/*.sock") else doors)
