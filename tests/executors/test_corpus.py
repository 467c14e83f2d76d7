"""Scripts that try what a sandbox must not let them do: each says in its first lines what is seen of it.

Adding one edits nothing. A word of a head: `status`, `exit_code`, `signal`, `truncated`, `observed`, `divergences`
(their number), `device` (its name), `underway` and `last_call` (`none`); `stdout`, `stderr`, `why`: what is in it;
`never`: what is nowhere in the evidence; `timeout_s`: the script's deadline. A script that says no status ends well.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.edges.executors.local import LocalExecutor
from bot.model import Job, RunEvidence

from .conftest import Run, gone, survivors

CORPUS = Path(__file__).parent / "corpus"
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


def head(text: str) -> dict[str, str]:
    """What a script says of itself. An unknown word is an error."""
    said: dict[str, str] = {"status": "ok"}
    for line in text.splitlines():
        word, colon, content = line.removeprefix("# ").partition(": ")
        if not line.startswith("# ") or not colon:
            break
        assert word in {*LOOKS, *HOLDS, "never", "timeout_s"}, f"{word} is no word of a head"
        said[word] = content
    return said


def seen_as_said(evidence: RunEvidence, said: dict[str, str]) -> None:
    """Everything that the head says is so."""
    for word, content in said.items():
        if word in LOOKS:
            assert str(LOOKS[word](evidence)) == content, (word, evidence.why, evidence.stdout, evidence.stderr)
        elif word in HOLDS:
            wanted = content.encode("ascii").decode("unicode_escape")
            assert wanted in HOLDS[word](evidence), (word, evidence.stderr)
    assert said.get("never", "\0") not in json.loads(json.dumps(evidence.model_dump_json()))


@pytest.mark.parametrize("case", CASES)
def test_cold(case: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a sandbox of its own: what is said is seen, in time, and nothing is left of it."""
    monkeypatch.setenv("ALIGNBOT_GITHUB_TOKEN", "SECRET")
    text = (CORPUS / f"{case}.py").read_text("utf-8")
    said = head(text)
    seen_as_said(run(text, timeout_s=float(said.get("timeout_s", 10))), said)


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
    text = (CORPUS / f"{case}.py").read_text("utf-8")
    said = head(text)
    limits = {"memory_bytes": 256 << 20, "max_processes": 32, "timeout_s": float(said.get("timeout_s", 10))}
    job = Job.model_validate({"script": text, "device": "cpu", "repeats": 1, **limits})
    local = executor(bwrap=bwrap)
    told = local.warm_runs(job, 2)
    plain = said["status"] in ("ok", "error") and said.get("signal") is None
    assert len(told) == (2 if plain else 0)
    for record, _ in told:
        evidence = RunEvidence.model_validate(
            {**dict(record), "device": {"type": "cpu", "name": "double"}, "runs": [record]}
        )
        seen_as_said(evidence, {word: content for word, content in said.items() if word != "divergences"})
    assert gone(mark), survivors(mark)
