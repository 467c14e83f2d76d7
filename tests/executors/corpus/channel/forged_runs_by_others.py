# status: ok
# stdout: not me
# never: FORGED
import base64
import json
import os

# as forged_runs, by the descriptors of the processes that hold this run's namespaces
empty = {"head": "", "tail": "", "total": 0}
told = {"head": base64.b64encode(b"FORGED").decode(), "tail": "", "total": 6}
said = {"event": "ran", "exit_code": 0, "late": False, "flooded": False, "duration_s": 0.1, "crumb": "AAAA" * 86}
line = json.dumps(said | {"streams": [told, empty, told]}).encode() + b"\n"
own = {os.readlink(f"/proc/self/fd/{number}") for number in range(32) if os.path.exists(f"/proc/self/fd/{number}")}
for process in [one for one in os.listdir("/proc") if one.isdigit()]:
    for number in range(3, 32):
        place = f"/proc/{process}/fd/{number}"
        try:
            if os.readlink(place) not in own:
                os.write(os.open(place, os.O_WRONLY | os.O_NONBLOCK), line)
        except OSError:
            continue
print("not me")
