"""The executor's promises to its caller."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import targets
from bot.edges.executors.local import LocalExecutor
from bot.model import Job, RunStatus, Target
from bot.seams import Executor, InputError, SandboxError

from .conftest import HERE, MARK, Run, gone, hostile, survivors

Build = Callable[..., LocalExecutor]


def job(script: str, **fields: object) -> Job:
    return Job.model_validate({"script": script, "device": "cpu", "repeats": 1, "timeout_s": 10, **fields})


def test_ok(run: Run) -> None:
    """A script that ends well gives its output, the observer's account and the digest of what ran."""
    evidence = run("print('héllo')")
    assert (evidence.status, evidence.exit_code, evidence.stdout) == (RunStatus.OK, 0, "héllo\n")
    assert (evidence.runs[0].checked, evidence.runs[0].unchecked, evidence.why) == (3, {"view": 1}, "")
    assert evidence.script_sha256 == job("print('héllo')").script_sha256
    assert evidence.bucket is None


def test_error(run: Run) -> None:
    """An exception is `error` with exit code 1, and its text is on standard error."""
    evidence = run("assert 1 == 2, 'no'")
    assert (evidence.status, evidence.exit_code) == (RunStatus.ERROR, 1)
    assert evidence.stderr == "AssertionError: no\n"


def test_repeats_are_fresh(bwrap: Path, executor: Build) -> None:
    """Every repeat starts without what the one before left in /tmp, and the first one's facts stand on top."""
    script = "import os\nprint(os.listdir('/tmp'))\nopen('/tmp/left', 'w').close()"
    evidence = executor(bwrap=bwrap).run(job(script, repeats=3))
    assert [record.stdout for record in evidence.runs] == ["[]\n"] * 3
    assert evidence.duration_s == evidence.runs[0].duration_s


def test_refused(bwrap: Path, executor: Build) -> None:
    """A device that the harness doesn't find is `refused` with its reason, and not asked for again."""
    evidence = executor(bwrap=bwrap).run(job("print(1)", device="cpu:7", repeats=3))
    assert (evidence.status, evidence.why, len(evidence.runs)) == (RunStatus.REFUSED, "no such device", 1)


def test_job_file(run: Run) -> None:
    """The harness is told the limits in the words of the resource module, and the name for tracebacks."""
    told = run("print(1)", tmp_bytes=4 << 20, timeout_s=3).environment["job"]
    assert told["name"] == "reproducer.py"
    assert told["limits"] == {
        "RLIMIT_DATA": 256 << 20,
        "RLIMIT_FSIZE": 4 << 20,
        "RLIMIT_CORE": 0,
        "RLIMIT_NOFILE": 1024,
        "RLIMIT_CPU": 3 * (os.cpu_count() or 1) + 1,
    }


def test_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script sees the allow list, thread counts and CPU choice of the host, and the target's variables; no more."""
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("LD_PRELOAD_HINT", "no")
    evidence = run("import os\nprint(*sorted(os.environ))")
    assert evidence.stdout.split() == sorted(
        [MARK, "HOME", "LANG", "OMP_NUM_THREADS", "OPENBLAS_CORETYPE", "PATH", "PWD", "TMPDIR", "USER"]
    )


def test_descriptors(run: Run) -> None:
    """A script inherits its three streams, the channel and the page, nothing else."""
    script = "import os\nfds = [f for f in os.listdir('/proc/self/fd') if os.path.exists(f'/proc/self/fd/{f}')]"
    assert run(script + "\nprint(len(fds), str(CHANNEL) in fds)").stdout == "5 True\n"


def test_nothing_leaks(bwrap: Path, executor: Build) -> None:
    """Runs that end well, by deadline or not at all leave no thread and no descriptor behind."""
    local = executor(bwrap=bwrap)
    local.run(job("print(1)"))
    before = len(list(Path("/proc/self/fd").iterdir()))
    for script in ("print(1)", hostile("close_all"), hostile("segfault"), hostile("daemons")):
        local.run(job(script, timeout_s=0.5))
    with pytest.raises(SandboxError):
        executor(bwrap=Path("/etc/passwd")).run(job("print(1)"))
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert threading.active_count() == 1


def test_killed_launcher(bwrap: Path, mark: str, tmp_path: Path) -> None:
    """SIGKILL of the launcher ends the sandbox with it."""
    (tmp_path / "script.py").write_text("import os, time\nos.fork()\ntime.sleep(600)")
    sandboxed = 4  # bubblewrap, the namespace's first process, the script and its child
    program = f"""
from pathlib import Path
import sys
from bot import targets
from bot.edges.executors.local import LocalExecutor
from bot.model import Job
target = targets.load("cpu").model_copy(update={{"environment": {{"{MARK}": "{mark}"}}}})
local = LocalExecutor(python=Path(sys.executable), target=target, package="json", harness=Path(sys.argv[1]))
local.run(Job(script=Path(sys.argv[2]).read_text(), device="cpu", timeout_s=60))
"""
    with subprocess.Popen(
        [sys.executable, "-c", program, HERE / "observer", tmp_path / "script.py"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as launcher:
        until = time.monotonic() + 60
        while len(survivors(mark)) < sandboxed and time.monotonic() < until:
            time.sleep(0.05)
        assert len(survivors(mark)) == sandboxed
        launcher.send_signal(signal.SIGKILL)
    assert gone(mark, within_s=10)


def test_no_bubblewrap(executor: Build, tmp_path: Path) -> None:
    """Without bubblewrap nothing runs, and the message says what to type."""
    with pytest.raises(SandboxError, match="apt-get install bubblewrap"):
        executor(bwrap=tmp_path / "bwrap").run(job("print(1)"))


@pytest.mark.parametrize(
    ("complaint", "cure"),
    [
        ("bwrap: No permissions to create new namespace, likely because ...", "user namespaces are"),
        ("bwrap: setting up uid map: Permission denied", "user namespaces are"),
        ("bwrap: Unknown option --disable-userns", "--only-upgrade bubblewrap"),
        ("bwrap: execvp /x/python: No such file or directory", "run.python"),
    ],
)
def test_sandbox_not_built(executor: Build, tmp_path: Path, complaint: str, cure: str) -> None:
    """A bubblewrap that complains and ends is a SandboxError with its complaint and a cure, never evidence."""
    double = tmp_path / "bwrap"
    double.write_text(f"#!/bin/sh\necho '{complaint}' >&2\nexit 1\n")
    double.chmod(0o755)
    with pytest.raises(SandboxError) as caught:
        executor(bwrap=double).run(job("print(1)"))
    assert complaint in str(caught.value)
    assert cure in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_torch(executor: Build) -> None:
    """An interpreter without the package is an InputError of one line that says what to install."""
    with pytest.raises(InputError, match=r"pip install 'xpu-alignment-bot\[runner\]'"):
        executor(package="no_such_package", unsandboxed=True).run(job("print(1)"))


def test_no_python(executor: Build, tmp_path: Path) -> None:
    """A path that is no Python is an InputError that names it."""
    with pytest.raises(InputError, match="no-python"):
        executor(python=tmp_path / "no-python", unsandboxed=True).run(job("print(1)"))


def test_other_device(executor: Build) -> None:
    """A job for another device than the executor's is refused before anything runs."""
    with pytest.raises(InputError, match="runs on cpu, the job asks for xpu"):
        executor(unsandboxed=True).run(job("print(1)", device="xpu"))


def test_not_text(executor: Build) -> None:
    """A script that UTF-8 can't hold is an InputError."""
    with pytest.raises(InputError, match="not text"):
        executor(unsandboxed=True).run(job("print('\ud800')"))


def test_unsandboxed(executor: Build, mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a sandbox a script still has a cleared environment, an empty folder, a deadline, and leaves no child."""
    monkeypatch.setenv("ALIGNBOT_TEST_SECRET", "token")
    local: Executor = executor(unsandboxed=True)
    evidence = local.run(job("import os\nprint(os.getcwd() == os.environ['HOME'], os.listdir('.'), len(os.environ))"))
    assert evidence.stdout.split()[:2] == ["True", "[]"]
    assert "ALIGNBOT_TEST_SECRET" not in local.run(job("import os\nprint(os.environ)")).stdout
    evidence = local.run(job(hostile("daemons") + "\ntime.sleep(60)", timeout_s=0.7))
    assert evidence.status is RunStatus.TIMEOUT
    assert local.run(job(hostile("segfault"))).signal == 11
    assert gone(mark), survivors(mark)


@pytest.mark.torch
def test_real_harness(bwrap: Path) -> None:
    """The real harness runs in the sandbox: a script that adds is observed to its end on the device asked for."""
    target: Target = targets.load("cpu")
    local = LocalExecutor(python=Path(sys.executable), target=target, bwrap=bwrap)
    evidence = local.run(job("import torch\nprint((torch.ones(2) + 1).sum().item())", timeout_s=60))
    assert (evidence.status, evidence.stdout, evidence.runs[0].observed) == (RunStatus.OK, "4.0\n", True)
    assert evidence.device.type == "cpu"
    assert "add" in {count.op for count in evidence.ops}


def test_one_render_node_is_the_first(executor: Callable[..., LocalExecutor], bwrap: Path) -> None:
    """A run that is shown one node alone is told to take the first device; without a choice nothing is said."""
    target = targets.load("cpu").model_copy(
        update={"device_nodes": ("/dev/null",), "pinned": {"ZE_AFFINITY_MASK": "0"}}
    )
    script = "import os; print(os.environ.get('ZE_AFFINITY_MASK'))"
    for node, told in (("/dev/null", "0\n"), (None, "None\n")):
        made = executor(bwrap=bwrap, target=target, render_node=node)
        assert made.run(Job(script=script, device="cpu", repeats=1)).stdout == told
