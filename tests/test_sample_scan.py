"""The line from end to end: the sample window, real torch, the real sandbox, real SQLite, real files."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest

from tests.conftest import Alignbot, needs_bwrap, needs_torch

pytestmark = [needs_torch, needs_bwrap, pytest.mark.torch]


class Scanned(NamedTuple):
    """A scan that is over."""

    state: Path
    out: Path
    done: subprocess.CompletedProcess[str]

    @property
    def ledger(self) -> dict[int, dict[str, Any]]:
        """Ledger entries by number."""
        lines = (self.out / "ledger.jsonl").read_text("utf-8").splitlines()
        return {entry["number"]: entry for entry in map(json.loads, lines)}

    @property
    def report(self) -> dict[str, Any]:
        """report.json."""
        content: dict[str, Any] = json.loads((self.out / "report.json").read_text("utf-8"))
        return content


@pytest.fixture(scope="module")
def scanned(alignbot: Alignbot, tmp_path_factory: pytest.TempPathFactory) -> Scanned:
    """The sample window, scanned once on the CPU."""
    folder = tmp_path_factory.mktemp("sample")
    state, out = folder / "state", folder / "out"
    done = alignbot("scan", "--sample", "--device", "cpu", "--out", out, "--json", state=state)
    assert done.returncode == 0, done.stderr
    return Scanned(state, out, done)


def test_finds_the_seed_fault_unprompted(scanned: Scanned) -> None:
    """#204496 gives one finding: bfloat16 [256, 0] where [2048, 0] is exact and representable."""
    (finding,) = scanned.report["findings"]
    assert finding["upstream"][0] == "pytorch/pytorch#204496"
    assert (finding["op"], finding["dtypes"], finding["bucket"]) == (
        "grid_sampler_2d_backward",
        ["bfloat16"],
        "confirmed",
    )
    (divergence,) = finding["divergences"]
    assert divergence["observed"] == [256.0, 0.0]
    assert divergence["expected"] == [2048.0, 0.0]
    assert divergence["expected_representable"] is True
    assert divergence["control"] == {"dtype": "float32", "observed": [2048.0, 0.0], "exact": True, "agrees": True}


def test_cpu_evidence_is_never_an_xpu_issue(scanned: Scanned) -> None:
    """The finding of a CPU run says so in title and body, may not be filed, and asks for no fix of XPU."""
    (finding,) = scanned.report["findings"]
    draft = (scanned.out / finding["draft"]).read_text("utf-8")
    assert finding["fileable"] is False
    assert finding["verdict"] == "verification-gap"
    assert "[CPU run, not for filing]" in draft.splitlines()[0]
    assert "it says nothing about XPU kernels" in draft


def test_every_item_has_its_outcome_and_reason(scanned: Scanned) -> None:
    """Each of the window's items is in the ledger once, with a sentence; only the seed's chain is a finding."""
    sample = Path(__file__).parent.parent / "bot/sample/2026-11-11.jsonl"
    numbers = {json.loads(line)["number"] for line in sample.read_text("utf-8").splitlines()}
    assert scanned.ledger.keys() == numbers
    assert all(len(entry["reason"]) > 15 for entry in scanned.ledger.values())
    assert [number for number, entry in scanned.ledger.items() if entry["outcome"] == "finding"] == [204496]
    assert scanned.ledger[204495]["outcome"] == "merged"
    assert scanned.ledger[204495]["leader"] == 204496
    assert scanned.ledger[204467]["outcome"] == "watched"
    assert scanned.ledger[204467]["look_again_at"] is not None


def test_draft_has_every_section(scanned: Scanned) -> None:
    """The draft has the sections of a finished issue, and names what no stage has established."""
    (finding,) = scanned.report["findings"]
    draft = (scanned.out / finding["draft"]).read_text("utf-8")
    for section in (
        "Summary", "Upstream source", "Observed behaviour", "Why the expected value is right", "Target path",
        "🐛 Describe the bug", "Likely cause", "Reproducer", "Smallest form", "Ownership", "Related issues searched",
        "Suggested verification once fixed", "Versions",
    ):  # fmt: skip
        assert f"# {section}\n" in draft
    assert "125472c0cbd6259715738ed1a80cd0240f914ad1" in draft
    assert "[2026-11-11T00:00:00Z, 2026-11-12T00:00:00Z)" in draft
    assert "state landed as `9053bca` since 2026-04-15" in draft
    script = (scanned.out / finding["reproducer"]).read_text("utf-8")
    assert '#   line 7: "cuda" -> "cpu" (device-string)' in script
    assert "# Exit code: 0 whatever it computes" in script
    assert f"```python\n{script}```" in draft
    assert draft.count("ot established") >= 3
    assert str(Path.home()) not in draft


def test_stdout_is_the_report(scanned: Scanned) -> None:
    """With --json standard output is report.json and nothing else; progress went to standard error in plain lines."""
    assert json.loads(scanned.done.stdout) == scanned.report
    assert "204496: run" in scanned.done.stderr
    assert "\x1b" not in scanned.done.stderr


def test_second_run_changes_nothing_and_runs_nothing(scanned: Scanned, alignbot: Alignbot, tmp_path: Path) -> None:
    """A second scan of the window writes the same bytes, from memory: no stage begins."""
    before = {path.name: path.read_bytes() for path in scanned.out.rglob("*") if path.is_file()}
    done = alignbot("scan", "--sample", "--device", "cpu", "--out", tmp_path, state=scanned.state)
    assert done.returncode == 0
    assert {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert not [line for line in done.stderr.splitlines() if line.endswith((": extract", ": run"))]


def test_reproducer_of_the_finding_runs_by_hand(scanned: Scanned) -> None:
    """The kept script, run by hand, prints the wrong value; no harness is around it."""
    (finding,) = scanned.report["findings"]
    script = scanned.out / finding["reproducer"]
    done = subprocess.run([sys.executable, "-I", "-u", script], capture_output=True, text=True, check=True)
    assert "torch.bfloat16 [False, True] [256.0, 0.0]" in done.stdout


def test_findings_commands_show_it(scanned: Scanned, alignbot: Alignbot) -> None:
    """`findings list` and `findings show` tell what the scan found; an unknown one is exit code 1."""
    fingerprint = scanned.report["findings"][0]["fingerprint"]
    listed = alignbot("findings", "list", "--json", state=scanned.state)
    assert [one["fingerprint"] for one in json.loads(listed.stdout)] == [fingerprint]
    shown = alignbot("findings", "show", fingerprint[:6], state=scanned.state)
    assert shown.stdout == (scanned.out / f"drafts/{fingerprint}.md").read_text("utf-8")
    assert alignbot("findings", "show", "ffff", state=scanned.state).returncode == 1


def test_daemon_once_is_the_same_window(scanned: Scanned, alignbot: Alignbot, tmp_path: Path) -> None:
    """One tick of the daemon's schedule ends with the scan's exit code and writes the same report."""
    done = alignbot("daemon", "--once", "--sample", "--device", "cpu", "--out", tmp_path, state=scanned.state)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "report.json").read_text("utf-8")) == scanned.report


def test_dry_run_remembers_nothing(scanned: Scanned, alignbot: Alignbot, tmp_path: Path) -> None:
    """A dry run reaches the same finding and leaves the store without it."""
    state = tmp_path / "state"
    done = alignbot(
        "scan", "--sample", "--device", "cpu", "--dry-run", "--out", tmp_path / "out", "--json", state=state
    )
    found = [one["fingerprint"] for one in json.loads(done.stdout)["findings"]]
    assert found == [one["fingerprint"] for one in scanned.report["findings"]]
    assert json.loads(alignbot("findings", "list", "--json", state=state).stdout) == []


def test_kill_while_a_script_runs(scanned: Scanned, tmp_path: Path) -> None:
    """Killed in the middle of a run, the bot leaves no process behind, and the next scan ends in the same report."""
    state, out = tmp_path / "state", tmp_path / "out"
    command = [sys.executable, "-m", "bot", "scan", "--sample", "--device", "cpu", "--out", str(out)]
    variables = {**os.environ, "ALIGNBOT_STATE": str(state)}
    with subprocess.Popen(command, env=variables, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as bot:
        assert bot.stderr is not None
        for line in bot.stderr:
            if line.rstrip().endswith("204496: run"):
                break
        children = _children(bot.pid)
        bot.send_signal(signal.SIGKILL)
        bot.wait()
    gone, alive = psutil.wait_procs(children, timeout=10)
    assert gone
    assert not alive
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    assert "204496: run" in done.stderr
    assert "204496: extract" not in done.stderr
    resumed = json.loads((out / "report.json").read_text("utf-8"))
    assert [one["fingerprint"] for one in resumed["findings"]] == [
        one["fingerprint"] for one in scanned.report["findings"]
    ]


def _children(pid: int) -> list[psutil.Process]:
    """Processes below `pid`, once the sandbox has started."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        below: list[psutil.Process] = psutil.Process(pid).children(recursive=True)
        if len(below) > 1:
            return below
        time.sleep(0.05)
    raise AssertionError("no sandbox was started")
