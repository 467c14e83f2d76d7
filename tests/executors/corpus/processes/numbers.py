# stdout: few
import os

print("few" if len([one for one in os.listdir("/proc") if one.isdigit()]) <= 5 else "many")
