"""The filter in force: what it names can't be called, and what torch needs still can."""

import json
import platform

import pytest

from bot.edges.executors.syscalls import _AS_IF_OLD, _MACHINES
from bot.model import RunStatus

from .conftest import Run

ASKING = """
import ctypes, errno, json
libc = ctypes.CDLL(None, use_errno=True)
told = {{}}
for name, number in json.loads('''{numbers}''').items():
    ctypes.set_errno(0)
    answer = libc.syscall(number, *[ctypes.c_long(-1)] * 6)
    told[name] = [answer, errno.errorcode.get(ctypes.get_errno())]
for name, flag in dict(ns=0x20000, cgroup=0x2000000, uts=0x4000000, ipc=0x8000000, user=0x10000000, pid=0x20000000,
                       net=0x40000000).items():
    ctypes.set_errno(0)
    answer = libc.syscall({clone}, ctypes.c_long(flag | 17), *[ctypes.c_long(0)] * 4)
    if answer == 0:
        libc._exit(0)
    told["clone " + name] = [answer, errno.errorcode.get(ctypes.get_errno())]
print(json.dumps(told))
"""


def test_what_is_named_is_refused(run: Run) -> None:
    """Every call of the table fails as it should, and clone with any new namespace."""
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        pytest.skip(f"no table for {platform.machine()}")
    evidence = run(ASKING.format(numbers=json.dumps(machine.numbers), clone=machine.clone))
    told = json.loads(evidence.stdout)
    assert len(told) == len(machine.numbers) + 7
    for name, (answer, code) in told.items():
        assert (answer, code) == (-1, "ENOSYS" if name in _AS_IF_OLD else "EPERM"), name


def test_threads_and_processes_still_start(run: Run) -> None:
    """What has flags of clone that make no namespace: threads, forks, a spawned child."""
    script = """
import multiprocessing, os, subprocess, sys, threading
told = []
thread = threading.Thread(target=lambda: told.append("thread"))
thread.start(); thread.join()
child = os.fork()
if child == 0:
    os._exit(7)
told.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
told.append(subprocess.run([sys.executable, "-I", "-c", "print(1)"], capture_output=True, text=True).stdout)
print(told)
"""
    evidence = run(script)
    assert (evidence.status, evidence.stdout) == (RunStatus.OK, "['thread', 7, '1\\n']\n")
