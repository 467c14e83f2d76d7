# stdout: {''} 1 2
told = {}
with open("/proc/self/status", encoding="ascii") as lines:
    for line in lines:
        name, _, content = line.partition(":")
        told[name] = content.strip()
rights = {told[name].strip("0") for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}
print(rights, told["NoNewPrivs"], told["Seccomp"])
