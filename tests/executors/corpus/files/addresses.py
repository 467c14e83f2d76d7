# stdout: hidden
try:
    with open("/proc/kallsyms", encoding="ascii") as names:
        told = {names.readline().split()[0] for _ in range(50)}
except (OSError, IndexError):
    told = set()
print("hidden" if all(int(one, 16) == 0 for one in told) else told)
