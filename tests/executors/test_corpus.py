"""Scripts that try what a sandbox must not let them do: each says in its first lines what is seen of it.

Adding one edits nothing. A word of a head: `status`, `exit_code`, `signal`, `truncated`, `observed`, `divergences`
(their number), `device` (its name), `underway` and `last_call` (`none`): what it is, `a|b` for either; `stdout`,
`stderr`, `why`: what is in it; `never`: what is nowhere in the evidence; `timeout_s`, `memory_mib`, `max_processes`:
the script's limits; `machine`: where alone it means something; `cold`: why only a cold run is as said (warm runs
follow a first one that was observed to its end). A script that says no status ends well.
"""

import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.edges.executors.local import LocalExecutor
from bot.model import Job, RunEvidence

from .conftest import Run, gone, survivors

CORPUS = Path(__file__).parent / "corpus"
GUARD = "if __import__('os').uname().nodename != 'sandbox': __import__('os')._exit(98)  # it would do harm here\n"
CASES = sorted(str(path.relative_to(CORPUS).with_suffix("")) for path in CORPUS.rglob("*.py"))
LOOKS: dict[str, Callable[[RunEvidence], object]] = {
    "status": lambda one: one.status.value,
    "exit_code": lambda one: one.exit_code,
    "signal": lambda one: one.signal,
    "truncated": lambda one: str(one.truncated).lower(),
    "observed": lambda one: str(one.runs[0].observed).lower(),
    "divergences": lambda one: len(one.divergences),
    "device": lambda one: one.device.name,
    "underway": lambda one: "none" if one.runs[0].underway is None else one.runs[0].underway.name,
    "last_call": lambda one: "none" if one.last_call is None else one.last_call.op,
}
HOLDS: dict[str, Callable[[RunEvidence], str]] = {
    "stdout": lambda one: one.stdout,
    "stderr": lambda one: one.stderr,
    "why": lambda one: one.why,
}
LIMITS: dict[str, Callable[[str], tuple[str, object]]] = {
    "timeout_s": lambda said: ("timeout_s", float(said)),
    "memory_mib": lambda said: ("memory_bytes", int(said) << 20),
    "max_processes": lambda said: ("max_processes", int(said)),
}
WORDS = {*LOOKS, *HOLDS, *LIMITS, "never", "machine", "cold"}


def head(text: str) -> dict[str, str]:
    """What a script says of itself. Raises ValueError for an unknown word."""
    said: dict[str, str] = {"status": "ok"}
    for line in text.splitlines():
        word, colon, content = line.removeprefix("# ").partition(": ")
        if not line.startswith("# ") or not colon:
            break
        if word not in WORDS:
            raise ValueError(f"{word} is no word of a head")
        said[word] = content
    return said


def read(case: str) -> tuple[dict[str, str], Job]:
    """What a case says of itself, and its job. It is skipped on a machine that it does not mean."""
    text = (CORPUS / f"{case}.py").read_text("utf-8")
    said = head(text)
    if said.get("machine", platform.machine()) != platform.machine():
        pytest.skip(f"only on {said['machine']}")
    limits = {"timeout_s": 10.0, "memory_bytes": 256 << 20, "max_processes": 32}
    limits |= dict(LIMITS[word](content) for word, content in said.items() if word in LIMITS)
    return said, Job.model_validate({"script": GUARD + text, "device": "cpu", "repeats": 1, **limits})


def seen_as_said(evidence: RunEvidence, said: dict[str, str]) -> None:
    """Everything that the head says is so."""
    for word, content in said.items():
        if word in LOOKS:
            found = str(LOOKS[word](evidence))
            assert found in content.split("|"), (word, evidence.why, evidence.stdout, evidence.stderr)
        elif word in HOLDS:
            wanted = content.encode("ascii").decode("unicode_escape")
            assert wanted in HOLDS[word](evidence), (word, evidence.stderr)
    assert said.get("never", "\0") not in evidence.model_dump_json()


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable of ours that no script may see."""
    monkeypatch.setenv("ALIGNBOT_GITHUB_TOKEN", "SECRET")


def test_an_unknown_word_is_an_error() -> None:
    """A slip in a head is told, not passed over; a comment further down is none of it."""
    assert head("# exit_code: 3\nimport os\n# because: x\n") == {"status": "ok", "exit_code": "3"}
    with pytest.raises(ValueError, match="exitcode is no word of a head"):
        head("# status: ok\n# exitcode: 3\n")


@pytest.mark.parametrize("case", CASES)
def test_cold(case: str, run: Run) -> None:
    """In a sandbox of its own: what is said is seen, in time, and nothing is left of it."""
    said, job = read(case)
    limits = {"memory_bytes": job.memory_bytes, "max_processes": job.max_processes}
    seen_as_said(run(job.script, timeout_s=job.timeout_s, **limits), said)


@pytest.fixture(scope="module")
def nests() -> bool:
    """Can a process in bubblewrap's sandbox make namespaces here?"""
    script = "import ctypes; print(ctypes.CDLL(None).unshare(0x10000000 | 0x20000))"
    command = ["bwrap", "--unshare-user", "--ro-bind", "/", "/", sys.executable, "-I", "-c", script]
    asked = subprocess.run(command, capture_output=True, text=True, check=False)
    return asked.stdout.strip() == "0"


@pytest.mark.parametrize("case", CASES)
def test_warm(case: str, executor: Callable[..., LocalExecutor], bwrap: Path, mark: str, nests: bool) -> None:
    """Forked from a warm process: a plain end is told as a cold run's, any other is left to a cold run."""
    if not nests:
        pytest.skip("user namespaces can't be nested here: every run is a cold one")
    said, job = read(case)
    plain = said["status"] in ("ok", "error") and said.get("signal", "None") == "None"
    told = executor(bwrap=bwrap).warm_runs(job, 2 if plain else 1)
    assert "cold" in said or len(told) == (2 if plain else 0)
    for record, _ in told if "cold" not in said else ():
        evidence = RunEvidence.model_validate(
            {**dict(record), "device": {"type": "cpu", "name": "double"}, "runs": [record]}
        )
        seen_as_said(evidence, {word: content for word, content in said.items() if word != "divergences"})
    assert gone(mark), survivors(mark)
