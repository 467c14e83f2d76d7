"""The door: standard input for `-`, readers that leave, closed streams, signals, and the bar of a terminal."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Alignbot, one_line

SCRIPT = "import torch\nprint(torch.zeros(2, device='cuda').sum())\n"
GOOD = json.dumps(
    {"repo": "pytorch/pytorch", "number": 1, "kind": "issue", "title": "a title", "body": f"```python\n{SCRIPT}```\n"}
)
NOISE = [
    {"repo": "pytorch/pytorch", "number": number, "kind": "issue", "title": title}
    for number, title in enumerate(("[Docs] Fix a typo", "How do I install torch?", "[CI] Bump a runner"), start=1)
]


@pytest.mark.parametrize("command", [["classify", "-"], ["extract", "--item", "-"]])
def test_items_from_standard_input(command: list[str], alignbot: Alignbot, tmp_path: Path) -> None:
    """`-` reads items from standard input; a mistake is told with the line, and the input by its name."""
    done = alignbot(*command, state=tmp_path, stdin=f"{GOOD}\n")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer[0]["item"] == "pytorch/pytorch#1" if command[0] == "extract" else answer["number"] == 1
    broken = alignbot(*command, state=tmp_path, stdin=f"{GOOD}\nno json\n")
    assert one_line(broken).startswith("alignbot: standard input, line 2: no JSON")


def test_texts_from_standard_input(alignbot: Alignbot, tmp_path: Path) -> None:
    """A script that is no Python is told by the name of what it came from."""
    assert "standard input is no Python" in one_line(alignbot("port", "-", state=tmp_path, stdin="("))


def in_shell(line: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """A line of bash in which `$alignbot` is the command; its exit code is that of the command."""
    variables = {**os.environ, "alignbot": f"{sys.executable} -m bot", "ALIGNBOT_STATE": str(tmp_path / "state")}
    command = ["bash", "-c", f"set -o pipefail; {line}"]
    return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("command", ["classify items.jsonl", "config show", "config show --json", "--help", "version"])
def test_reader_may_leave(command: str, tmp_path: Path) -> None:
    """A reader that has seen enough ends the command without a word, however the command writes."""
    (tmp_path / "items.jsonl").write_text(f"{GOOD}\n" * 3000, "utf-8")
    done = in_shell(f"cd {tmp_path} && $alignbot {command} | true", tmp_path)
    assert (done.returncode, done.stderr) == (141, "")


def test_closed_streams(tmp_path: Path) -> None:
    """With standard output or error closed, nothing of it goes anywhere else, and the exit code stays."""
    assert in_shell("$alignbot version >&-", tmp_path).returncode == 0
    assert in_shell("$alignbot config show --json >&-", tmp_path).stderr == ""
    refused = in_shell("$alignbot nonsense 2>&-", tmp_path)
    assert (refused.returncode, refused.stdout, refused.stderr) == (2, "", "")
    assert in_shell("$alignbot classify - <&-", tmp_path).returncode == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_signals_end_a_scan(number: signal.Signals, code: int, tmp_path: Path) -> None:
    """A scan in the middle of its work ends at SIGTERM and SIGINT with the shell's code, no trace and no output."""
    items, out = tmp_path / "items.jsonl", tmp_path / "out"
    os.mkfifo(items)
    arguments = ["scan", "--archive", str(items), "--window", "2026-11-11", "--device", "cpu", "--out", str(out)]
    with subprocess.Popen(
        [sys.executable, "-m", "bot", *arguments],
        env={**os.environ, "ALIGNBOT_STATE": str(tmp_path / "state")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as bot:
        with items.open("wb"):  # blocks until the scan reads
            bot.send_signal(number)
            assert bot.wait(60) == code
        assert bot.communicate() == ("", "")
    assert not out.exists()


def test_bar_of_a_terminal(tmp_path: Path) -> None:
    """On a terminal the bar counts to the end, and standard output is the report as JSON and nothing else."""
    items = tmp_path / "items.jsonl"
    items.write_text("".join(json.dumps(item) + "\n" for item in NOISE), "utf-8")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-W", "error", "-m", "bot", "scan", "--archive", str(items), "--window", "2026-11-11"]
    bot = subprocess.Popen(
        [*command, "--device", "cpu", "--out", str(tmp_path / "out"), "--json"],
        env={**os.environ, "ALIGNBOT_STATE": str(tmp_path / "state"), "TERM": "xterm", "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    shown = seen_on(ours)
    report = json.loads(bot.communicate(timeout=60)[0])
    assert bot.returncode == 0, shown
    assert report["counts"]["items"] == len(NOISE)
    assert f"{len(NOISE)}/{len(NOISE)}" in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    assert "\x1b[?25h" in shown.rpartition("\x1b[?25l")[2], "the cursor stays hidden"


@pytest.mark.parametrize("form", [[], ["--explain"]])
def test_output_is_utf8_in_any_locale(form: list[str], alignbot: Alignbot, tmp_path: Path) -> None:
    """Where the locale's letters are others, output is UTF-8 all the same, byte for byte what it is elsewhere."""
    path = tmp_path / "items.jsonl"
    path.write_text(GOOD.replace("a title", "[CUDA] 漢字 cumsum is wrong"), "utf-8")
    usual = alignbot("classify", path, *form, state=tmp_path)
    assert usual.returncode == 0, usual.stderr
    for settings in ({"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}):
        assert alignbot("classify", path, *form, state=tmp_path, **settings).stdout == usual.stdout


def seen_on(terminal: int) -> str:
    """All that a terminal is sent, until its last writer leaves."""
    seen = b""
    while select.select([terminal], [], [], 120)[0]:
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:  # Linux: the other side is closed
            break
        if not part:
            break
        seen += part
    os.close(terminal)
    return seen.decode("utf-8", "replace")
