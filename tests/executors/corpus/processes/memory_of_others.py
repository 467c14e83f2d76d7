# stdout: none
import os

told = []
for number in [one for one in os.listdir("/proc") if one.isdigit() and int(one) != os.getpid()]:
    try:
        with open(f"/proc/{number}/mem", "r+b") as memory:
            told.append(number)
    except OSError:
        continue
print("none" if not told else told)
