"""What a killed launcher leaves: no process, and folders that the next run removes; control groups likewise."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from bot.edges.executors.cgroup import group, handed_over, joining, over_memory
from bot.edges.executors.limits import Limits
from bot.edges.executors.staging import run_folder, sweep

LIMITS = Limits(timeout_s=10, memory_bytes=64 << 20, max_processes=8)
HOLD = """
import sys, tempfile, time
tempfile.tempdir = sys.argv[1]
from bot.edges.executors.staging import run_folder
with run_folder() as folder:
    print(folder, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder of the test's own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_killed_launcher_s_folder_is_removed(temporary: Path) -> None:
    """Not while it lives, however often others begin; at the first run after its death."""
    command = [sys.executable, "-c", HOLD, str(temporary)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as launcher:
        assert launcher.stdout is not None
        held = Path(launcher.stdout.readline().strip())
        with run_folder() as own:
            assert held.is_dir()
            assert own.is_dir()
        assert held.is_dir()
        os.kill(launcher.pid, signal.SIGKILL)
    with run_folder():
        assert not held.exists()
    assert list(temporary.iterdir()) == []


def test_what_is_not_ours_stays(temporary: Path) -> None:
    """Folders of another make, links, files and folders that are being made are left alone."""
    (temporary / "alignbot-notes").mkdir()
    (temporary / "alignbot-file").touch()
    (temporary / "elsewhere").mkdir()
    (temporary / "elsewhere" / "in-use").touch()
    (temporary / "alignbot-link").symlink_to(temporary / "elsewhere")
    before = sorted(temporary.rglob("*"))
    sweep(temporary)
    assert sorted(temporary.rglob("*")) == before


def tree(tmp_path: Path, passed_on: str, own: str = "0::/unit\n") -> tuple[Path, Path, Path]:
    """A machine with version 2 below tmp_path: its `cgroup`, its `mounts`, and the group of this process."""
    folder = tmp_path / "fs" / "unit"
    folder.mkdir(parents=True)
    (folder / "cgroup.subtree_control").write_text(passed_on, "ascii")
    (tmp_path / "cgroup").write_text(f"4:memory:/v1\n{own}", "ascii")
    (tmp_path / "mounts").write_text(f"proc /proc proc rw 0 0\ncgroup2 {tmp_path}/fs cgroup2 rw 0 0\n", "ascii")
    return tmp_path / "cgroup", tmp_path / "mounts", folder


@pytest.mark.parametrize(
    ("passed_on", "own", "there"),
    [
        ("cpu memory pids\n", "0::/unit\n", True),
        ("memory\n", "0::/unit\n", False),
        ("", "0::/unit\n", False),
        ("memory pids\n", "0::/other\n", False),
        ("memory pids\n", "", False),
    ],
)
def test_a_group_that_is_handed_over(passed_on: str, own: str, there: bool, tmp_path: Path) -> None:
    """Both controllers must be passed on below the process's own group; anything else is none."""
    cgroup, mounts, folder = tree(tmp_path, passed_on, own)
    assert handed_over(cgroup, mounts) == (folder if there else None)
    assert handed_over(tmp_path / "none", mounts) is None


def test_no_group_is_no_change() -> None:
    """Without one the command is as it was, and nothing is over its memory."""
    with group(LIMITS, None) as made:
        assert made is None
    assert joining(["a", "b"], None) == ["a", "b"]
    assert over_memory(None) is False


def test_the_kernel_says_who_was_over(tmp_path: Path) -> None:
    """Only a kill for memory counts, not that the limit was met."""
    (tmp_path / "memory.events").write_text("low 0\nhigh 3\nmax 9\noom 1\noom_kill 0\n", "ascii")
    assert not over_memory(tmp_path)
    (tmp_path / "memory.events").write_text("oom 1\noom_kill 2\noom_group_kill 1\n", "ascii")
    assert over_memory(tmp_path)


def test_a_real_group_ends_what_is_in_it() -> None:
    """A command that joins is in the group; leaving it kills what is still there, and the group is gone."""
    parent = handed_over(needed=())
    if parent is None or not os.access(parent, os.W_OK):
        pytest.skip("no group of version 2 in which this user may make others")
    with group(LIMITS, parent) as made:
        if made is None:
            pytest.skip("the kernel lets no group be made here")
        with subprocess.Popen(joining(["sleep", "600"], made)) as sleeper:
            until = time.monotonic() + 20
            while str(sleeper.pid) not in (made / "cgroup.procs").read_text("ascii").split():
                assert time.monotonic() < until
                time.sleep(0.01)
            (made / "cgroup.kill").write_text("1", "ascii")
            assert sleeper.wait(20) == -signal.SIGKILL
    with group(LIMITS, parent):
        assert not made.exists()
