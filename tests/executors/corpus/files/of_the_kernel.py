# stdout: all refused
def refused(*works):
    told = []
    for number, work in enumerate(works):
        try:
            told.append(f"{number} gave {work()!r}")
        except (OSError, ValueError):
            continue
    return told or "all refused"


names = ("/proc/kcore", "/proc/kmsg", "/dev/kmsg", "/dev/mem", "/proc/1/mem")
print(refused(*(lambda name=name: open(name, "rb").read(1) for name in names)))
