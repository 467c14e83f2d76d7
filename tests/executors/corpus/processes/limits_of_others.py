# stdout: all refused
import os
import resource


def refused(*works):
    told = []
    for number, work in enumerate(works):
        try:
            told.append(f"{number} gave {work()!r}")
        except (OSError, ValueError):
            continue
    return told or "all refused"


def hard(kind):
    most = resource.getrlimit(kind)[1]
    if most == resource.RLIM_INFINITY:
        raise OSError("there is none")
    resource.setrlimit(kind, (most + 1, most + 1))


print(
    refused(
        lambda: hard(resource.RLIMIT_NOFILE),
        lambda: hard(resource.RLIMIT_MEMLOCK),
        lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (1, 1)) if os.getppid() != 1 else int("no"),
        lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
        lambda: os.nice(-5),
        lambda: open("/proc/self/oom_score_adj", "w").write("-1000"),
        lambda: open("/proc/1/oom_score_adj", "w").write("1000"),
    )
)
