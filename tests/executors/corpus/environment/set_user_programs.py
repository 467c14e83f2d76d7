# stdout: none counts\nnot root
import subprocess

with open("/proc/self/mountinfo", encoding="utf-8") as mounts:
    fields = [line.split() for line in mounts]
print(
    "none counts" if all("nosuid" in one[5] for one in fields) else [one[4] for one in fields if "nosuid" not in one[5]]
)
told = subprocess.run(["/bin/su", "-c", "id -u"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
print("not root" if told.stdout.strip() != "0" else "root")
