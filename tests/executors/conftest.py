"""A sandbox with a harness that needs no torch, hostile scripts to put in it, and the check that nothing survives."""

import shutil
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

import bot
from bot import targets
from bot.edges.executors.local import LocalExecutor
from bot.model import Job, RunEvidence

HERE = Path(__file__).parent
MARK = "ALIGNBOT_TEST_MARK"
LATE_S = 15.0
"""The sandbox promises to end a script within five seconds of its deadline; a loaded machine gets three times that."""

Run = Callable[..., RunEvidence]


@pytest.fixture
def bwrap() -> Path:
    """The real bubblewrap; the test is skipped where there is none."""
    found = shutil.which("bwrap")
    if found is None:
        pytest.skip("bubblewrap is missing: apt-get install bubblewrap")
    return Path(found)


def hostile(name: str, **words: object) -> str:
    """A script of the corpus with its `@WORD@`s filled in."""
    text = (HERE / "hostile" / f"{name}.py").read_text("utf-8")
    for word, content in words.items():
        text = text.replace(f"@{word}@", str(content))
    return text


def survivors(mark: str) -> list[psutil.Process]:
    """Processes of this machine that carry the mark in their environment or command line."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and (
                process.environ().get(MARK) == mark or mark in process.cmdline()
            ):
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found


def gone(mark: str, within_s: float = 10.0) -> bool:
    """No process with the mark is left, at the latest after `within_s`."""
    until = time.monotonic() + within_s
    while survivors(mark):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def mark() -> str:
    return uuid.uuid4().hex


@pytest.fixture(scope="session")
def observer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The harness that needs no torch, with the modules of the real one that make warm runs."""
    folder = tmp_path_factory.mktemp("harness")
    shutil.copy(HERE / "observer" / "observe.py", folder)
    (folder / "inside").mkdir()
    for name in ("__init__", "channel", "crumb", "ending", "namespaces", "warm"):
        shutil.copy(Path(bot.__file__).parent / "harness" / f"{name}.py", folder / "inside")
    return folder


@pytest.fixture
def executor(mark: str, observer: Path) -> Callable[..., LocalExecutor]:
    """Builds an executor with the torch-free observer; every process of its runs carries the mark."""

    def build(**options: object) -> LocalExecutor:
        target = targets.load("cpu").model_copy(update={"environment": {MARK: mark}})
        fixed = {"python": Path(sys.executable), "harness": observer, "package": "json", "target": target}
        return LocalExecutor(**fixed | options)

    return build


@pytest.fixture
def run(bwrap: Path, executor: Callable[..., LocalExecutor], mark: str) -> Iterator[Run]:
    """Runs a script once in the sandbox: it is over in time, and nothing of it lives afterwards."""

    def once(script: str, *, timeout_s: float = 10.0, **job: object) -> RunEvidence:
        options = {"device": "cpu", "repeats": 1, "memory_bytes": 256 << 20, "max_processes": 32} | job
        began = time.monotonic()
        evidence = executor(bwrap=bwrap).run(Job(script=script, timeout_s=timeout_s, **options))
        assert time.monotonic() - began < timeout_s + LATE_S
        assert gone(mark), survivors(mark)
        assert "could not be ended" not in evidence.why
        return evidence

    yield once
    assert gone(mark), survivors(mark)
