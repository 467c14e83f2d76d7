"""Scripts that mean harm, in the real sandbox. `run` itself asserts the deadline and that no process survives."""

import socket
import sys
import tempfile
import uuid
from pathlib import Path

import pytest

from bot.edges.executors.interpreter import ask
from bot.edges.executors.limits import EndedBy, Limits
from bot.edges.executors.sandbox import Sandbox, sandbox_command
from bot.edges.executors.supervise import supervise
from bot.model import RunStatus

from .conftest import HERE, MARK, Run, gone, hostile

TMP_BYTES = 4 << 20


def test_launcher_secret(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable of ours is in no process that the script can see."""
    monkeypatch.setenv("ALIGNBOT_TEST_SECRET", "token")
    evidence = run(hostile("launcher_secret"))
    assert evidence.stdout == "looked at True\n"


def test_write_outside(run: Run) -> None:
    """Nothing outside /tmp can be created, changed or removed."""
    evidence = run(hostile("write_outside"))
    assert (evidence.status, evidence.stdout) == (RunStatus.OK, "done\n")


def test_read_host(run: Run, tmp_path: Path) -> None:
    """Neither accounts nor home nor the host's /tmp nor its name can be read."""
    secret = tmp_path / "secret"
    secret.write_text("x")
    with tempfile.NamedTemporaryFile(dir=Path.home(), prefix=".alignbot-test-") as mine:
        words = {"SECRET": secret, "HOME": Path.home(), "NAME": Path(mine.name).name}
        evidence = run(hostile("read_host", **words))
    assert (evidence.status, evidence.stdout) == (RunStatus.OK, "sandbox\ndone\n")


def test_network(run: Run) -> None:
    """A listener on loopback, an abstract socket and the world are out of reach; `lo` is the script's own."""
    name = uuid.uuid4().hex
    with socket.create_server(("127.0.0.1", 0)) as door, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0{name}")
        abstract.listen()
        evidence = run(hostile("network", PORT=door.getsockname()[1], NAME=name))
    assert evidence.stdout.splitlines() == ["interfaces ['lo']", "done"]


def test_fork_bomb(run: Run) -> None:
    """More processes than allowed end the run, and all of them."""
    evidence = run(hostile("fork_bomb"))
    assert evidence.status is RunStatus.KILLED
    assert evidence.why == "stopped for running more than 32 processes"


def test_memory_shared_by_forks(run: Run) -> None:
    """Pages that many processes share count once: 100 MiB in eight processes is no breach of 256 MiB."""
    script = (
        "import os, time\nkept = b'x' * (100 << 20)\n"
        "children = [os.fork() for _ in range(3)]\ntime.sleep(0.5)\nprint(len(kept))"
    )
    assert run(script).status is RunStatus.OK


def test_endless_output(run: Run) -> None:
    """Output without end is cut, not kept, and ends at the deadline at the latest."""
    evidence = run(hostile("endless_output"), timeout_s=1.0, output_bytes=4096)
    assert evidence.status in (RunStatus.TIMEOUT, RunStatus.KILLED)
    assert evidence.truncated
    assert evidence.stdout.startswith("first é line\n")
    assert "bytes left out" in evidence.stdout
    assert len(evidence.stdout) < 5000


def test_daemons(run: Run) -> None:
    """Daemons that keep the streams open delay nothing and end with the script."""
    evidence = run(hostile("daemons"), max_processes=64)
    assert (evidence.status, evidence.stdout, evidence.runs[0].observed) == (RunStatus.OK, "left\n", True)
    assert evidence.duration_s < 2


def test_stopped_first_process(bwrap: Path, mark: str, tmp_path: Path) -> None:
    """Without the system-call filter a traced first process hangs bubblewrap; the deadline ends both."""
    script, job = tmp_path / "script.py", tmp_path / "job.json"
    script.write_text("")
    job.write_text("")
    observer = tmp_path / "observer"
    observer.mkdir()
    (observer / "observe.py").write_text(hostile("trace_first"))
    sandbox = Sandbox(
        bwrap=bwrap,
        interpreter=ask(Path(sys.executable), "json"),
        harness=observer,
        job=job,
        script=script,
        tmp_bytes=TMP_BYTES,
        environment={MARK: mark},
    )
    limits = Limits(timeout_s=0.7, memory_bytes=1 << 30, max_processes=8)
    ended = supervise(lambda wires: sandbox_command(sandbox, wires), limits, sandboxed=True)
    if ended.stdout == "refused\n":
        pytest.skip("this kernel lets nobody trace here (ptrace_scope)")
    assert (ended.stdout, ended.ended_by, ended.nothing_left) == ("attached\n", EndedBy.TIMEOUT, True)
    assert ended.duration_s < 2
    assert gone(mark)


def test_fill(run: Run) -> None:
    """No folder takes more than the size given for /tmp."""
    evidence = run(hostile("fill", LIMIT=TMP_BYTES), tmp_bytes=TMP_BYTES)
    assert (evidence.status, evidence.stdout) == (RunStatus.OK, "done\n")


def test_namespaces_are_new(run: Run) -> None:
    """The script shares no namespace with us but the clock's."""
    kinds = ("cgroup", "ipc", "mnt", "net", "pid", "user", "uts")
    script = f"import os\nfor kind in {kinds}:\n    print(os.readlink('/proc/self/ns/' + kind))"
    inside = run(script).stdout.split()
    outside = [str(Path(f"/proc/self/ns/{kind}").readlink()) for kind in kinds]
    assert len(inside) == len(kinds)
    assert not set(inside) & set(outside)


def test_close_all(run: Run) -> None:
    """A script without any descriptor left still ends at its deadline."""
    evidence = run(hostile("close_all"), timeout_s=0.7)
    assert (evidence.status, evidence.runs[0].observed) == (RunStatus.TIMEOUT, False)


def test_channel_garbage(run: Run) -> None:
    """Lines that are no report are counted and change nothing; a divergence without its call counts for nothing."""
    evidence = run(hostile("channel_garbage"))
    assert (evidence.status, evidence.device.name, evidence.runs[0].observed) == (RunStatus.OK, "double", True)
    assert (evidence.divergences, len(evidence.unconfirmed)) == ((), 1)
    assert evidence.why == (
        "12 lines on the harness's channel were no report and were ignored; 100 further divergences were not kept"
    )
    assert evidence.model_dump_json()


def test_every_script_is_used() -> None:
    """No hostile script lies about without a test that runs it."""
    text = Path(__file__).read_text("utf-8")
    unused = [path.stem for path in (HERE / "hostile").glob("*.py") if path.stem not in text]
    assert unused == []
    assert (HERE / "hostile/segfault.py").exists()
