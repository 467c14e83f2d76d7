"""The parts by themselves: command line, captured streams, reports, supervision without a sandbox."""

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import targets
from bot.edges.executors.capture import Capture
from bot.edges.executors.events import read_account
from bot.edges.executors.interpreter import Interpreter, ask
from bot.edges.executors.limits import EndedBy, Limits
from bot.edges.executors.sandbox import Sandbox, device_nodes, environment_for, read_only_paths, sandbox_command
from bot.edges.executors.supervise import Wires, supervise
from bot.edges.executors.syscalls import seccomp_filter
from bot.seams import SandboxError

# Not a shell: some take only one digit for a descriptor.
_WRITE = [sys.executable, "-I", "-S", "-c", "import os, sys; os.write(int(sys.argv[1]), b'abcdef')"]
LIMITS = Limits(timeout_s=5, memory_bytes=1 << 30, max_processes=16)


@given(st.lists(st.binary(max_size=50)), st.integers(0, 40), st.integers(0, 40))
def test_capture(chunks: list[bytes], head: int, tail: int) -> None:
    """A stream that fits is kept whole; of a longer one the first and the last bytes are, and the gap is counted."""
    capture = Capture(head, tail)
    for chunk in chunks:
        capture.add(chunk)
    whole = b"".join(chunks)
    if len(whole) <= head + tail:
        assert (capture.kept(), capture.truncated) == (whole, False)
    else:
        gap = f"\n[... {len(whole) - head - tail} bytes left out ...]\n".encode()
        assert capture.kept() == whole[:head] + gap + whole[len(whole) - tail :]
        assert capture.truncated


@given(st.binary(), st.one_of(st.none(), st.integers(0, 255)))
def test_any_bytes_are_an_account(channel: bytes, exit_code: int | None) -> None:
    """No bytes on the channel raise, and noise is never an end."""
    account = read_account(channel, exit_code)
    assert account.end is None
    assert account.ignored <= channel.count(b"\n") + 1


@pytest.mark.parametrize(("exit_code", "believed"), [(0, False), (3, True), (None, True)])
def test_end_must_fit_the_process(exit_code: int | None, believed: bool) -> None:
    """An end event with another exit code than the process had is not believed."""
    line = json.dumps({"event": "end", "exit_code": 3}).encode() + b"\n"
    account = read_account(line, exit_code)
    assert ((account.end is not None), account.ignored) == (believed, int(not believed))


def test_half_a_line() -> None:
    """A report cut short by a crash is not believed."""
    assert read_account(b'{"event": "end", "exit_code": 0}', 0).end is None


def sandbox(tmp_path: Path, **fields: object) -> Sandbox:
    inside = Interpreter(
        executable=tmp_path / "bin/python", prefix=tmp_path, base_prefix=Path("/usr"), folders=(), package=None
    )
    paths = {"bwrap": "/usr/bin/bwrap", "harness": tmp_path, "job": tmp_path, "script": tmp_path, "tmp_bytes": 1024}
    return Sandbox.model_validate({"interpreter": inside, **paths, **fields})


def test_command(tmp_path: Path) -> None:
    """Every namespace is new, every capability dropped, every mount made before `/` becomes read-only."""
    command = sandbox_command(sandbox(tmp_path, environment={"A": "b c"}), Wires(7, 8, 6), 9)
    text = " ".join(command)
    for option in (
        "--unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try",
        "--disable-userns --cap-drop ALL --die-with-parent --new-session",
        "--uid 65534 --gid 65534",
        "--json-status-fd 8 --seccomp 9 --clearenv --setenv A b c",
        "--size 1024 --tmpfs /tmp",
        "--size 1024 --tmpfs /dev/shm",
        "--remount-ro /proc --remount-ro /dev --remount-ro / --chdir /tmp --",
        "-I -u /run/alignbot/harness/observe.py /run/alignbot/job.json /run/alignbot/script.py 7",
    ):
        assert option in text
    assert not {"--bind", "--share-net", "--dev-bind"} & set(command)


def test_device_nodes(tmp_path: Path) -> None:
    """Patterns are expanded, what is missing is skipped, and of render nodes only the chosen one is opened."""
    for name in ("renderD128", "renderD129", "card0"):
        (tmp_path / name).touch()
    patterns = (f"{tmp_path}/renderD*", f"{tmp_path}/card0", f"{tmp_path}/none*")
    target = targets.load("xpu").model_copy(update={"device_nodes": patterns})
    assert [node.name for node in device_nodes(target)] == ["renderD128", "renderD129", "card0"]
    for choice in ("renderD129", f"{tmp_path}/renderD129"):
        assert [node.name for node in device_nodes(target, choice)] == ["renderD129", "card0"]
    with pytest.raises(SandboxError, match=r"renderD200 is no XPU device here \(.*renderD128"):
        device_nodes(target, "renderD200")
    command = sandbox_command(sandbox(tmp_path, device_nodes=device_nodes(target, "renderD129")), Wires(7, 8, 6))
    assert command.count("--dev-bind") == 2


def test_read_only_paths(tmp_path: Path) -> None:
    """Only what exists is shown; what lies in /proc is left to the sandbox's own."""
    target = targets.load("xpu").model_copy(update={"read_only": ("/proc/sys", str(tmp_path), "/no/such")})
    assert read_only_paths(target) == (tmp_path,)


def test_environment_of_the_target() -> None:
    """The target's variables are set, the host's are not unless they are on the list."""
    shown = environment_for(
        targets.load("xpu"), Path("/x/bin/python"), {"HOME": "/h", "TOKEN": "t", "MKL_NUM_THREADS": "1"}
    )
    assert shown["PYTORCH_DEBUG_XPU_FALLBACK"] == "1"
    assert (shown["HOME"], shown["MKL_NUM_THREADS"], "TOKEN" in shown) == ("/tmp", "1", False)  # noqa: S108


def test_interpreter() -> None:
    """The interpreter's parts hold it and its standard library, and no checkout that an editable install points to."""
    interpreter = ask(Path(sys.executable), "json")
    parts = interpreter.parts()
    for path in (Path(sys.prefix), Path(json.__file__)):
        assert any(path.is_relative_to(part) for part in parts)
    assert not any(Path(__file__).is_relative_to(part) for part in parts)


def test_filter_unknown_machine() -> None:
    """An architecture without a table gets no filter rather than a wrong one."""
    assert seccomp_filter("riscv64") is None
    assert len(seccomp_filter("x86_64") or b"") % 8 == 0


def test_supervise_exit() -> None:
    """Outside a sandbox exit code and signal are the command's own, and both streams are kept apart."""
    ended = supervise(lambda _: ["/bin/sh", "-c", "echo out; echo err >&2; exit 200"], LIMITS, sandboxed=False)
    assert (ended.exit_code, ended.signal, ended.stdout, ended.stderr) == (200, None, "out\n", "err\n")
    ended = supervise(lambda _: ["/bin/sh", "-c", "kill -ABRT $$"], LIMITS, sandboxed=False)
    assert (ended.exit_code, ended.signal) == (None, 6)


def test_supervise_channel() -> None:
    """What is written to the channel is collected, up to its own cap."""
    limits = LIMITS.model_copy(update={"channel_bytes": 4})
    ended = supervise(lambda wires: [*_WRITE, str(wires.channel)], limits, sandboxed=False)
    assert (ended.channel, ended.channel_truncated, ended.truncated) == (b"abcd", True, False)


def test_supervise_orphan() -> None:
    """A child that outlives the command and keeps its output open delays the answer by far less than its own life."""
    ended = supervise(lambda _: ["/bin/sh", "-c", "sleep 600 & sleep 0.2; echo done"], LIMITS, sandboxed=False)
    assert (ended.stdout, ended.nothing_left) == ("done\n", True)
    assert ended.duration_s < 60


def test_supervise_flood() -> None:
    """A stream over the flood limit ends the run."""
    limits = LIMITS.model_copy(update={"flood_bytes": 1 << 20})
    ended = supervise(lambda _: ["/bin/sh", "-c", "yes"], limits, sandboxed=False)
    assert (ended.ended_by, ended.exit_code, ended.signal) == (EndedBy.OUTPUT, None, None)


def test_supervise_no_command() -> None:
    """A command that doesn't exist is a SandboxError."""
    with pytest.raises(SandboxError, match="no-such could not be started"):
        supervise(lambda _: ["/no-such"], LIMITS, sandboxed=False)
