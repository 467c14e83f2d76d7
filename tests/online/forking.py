"""Command lines in forks of a process that has imported all of alignbot: each can be killed for the price of a fork.

Run as a script: a line of standard input is a JSON object of `arguments`, `variables` and `die`, the number of a step
below the folder of results (open, make, rename, remove) before which the command kills itself; 0 for none. Answered is
a line with the number of its process, and one with its exit code once it has ended, negative for a signal.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.online.loopback import DAY


@dataclass
class Forks:
    """The script, running."""

    script: "subprocess.Popen[str]"
    variables: dict[str, str]
    child: int = 0
    """The process of the command that runs now."""

    def run(self, *arguments: object, state: Path, die: int = 0) -> int:
        """The exit code of a command line, negative where a signal ended it."""
        told = {"arguments": list(map(str, arguments)), "die": die}
        variables = {**self.variables, "ALIGNBOT_STATE": str(state)}
        assert self.script.stdin is not None
        assert self.script.stdout is not None
        self.script.stdin.write(json.dumps({**told, "variables": variables}) + "\n")
        self.script.stdin.flush()
        self.child = int(self.script.stdout.readline())
        return int(self.script.stdout.readline())


@contextmanager
def forks(variables: dict[str, str]) -> Iterator[Forks]:
    """The script, until it is no longer needed; `variables` are those of every command."""
    script = subprocess.Popen(
        [sys.executable, "-m", "tests.online.forking"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with script:
        yield Forks(script, variables)
        assert script.stdin is not None
        script.stdin.close()


def _in_child(work: Callable[[], int]) -> Iterator[int]:
    """Number and exit code of a fork that does the work."""
    child = os.fork()
    if child == 0:
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silence, stream)
        os._exit(work())
    yield child
    _, status = os.waitpid(child, 0)
    yield os.waitstatus_to_exitcode(status)


def _command(told: dict[str, Any]) -> int:
    from bot.cli import _answer  # noqa: PLC0415
    from tests.kill_line import die_while_writing  # noqa: PLC0415

    os.environ.update(told["variables"])
    if told["die"]:
        die_while_writing(Path(told["variables"]["ALIGNBOT_STATE"]) / "scans", told["die"])
    return _answer(told["arguments"])


def main() -> None:
    """Answer until there is nothing more to do."""
    _warm_up()
    for line in sys.stdin:
        told = json.loads(line)
        for number in _in_child(lambda told=told: _command(told)):
            print(number, flush=True)


def _warm_up() -> None:
    """Import and compile what every command needs, by scanning an archive of one item."""
    import bot.edges.github.source  # noqa: PLC0415
    import bot.edges.github.sweep  # noqa: PLC0415
    import bot.rounds  # noqa: F401, PLC0415

    item = {"repo": "a/b", "number": 1, "kind": "issue", "title": "[Docs] Fix a typo", "created_at": f"{DAY}T00:00:00Z"}
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w", encoding="utf-8") as silence:  # noqa: PTH123
        archive = Path(folder) / "items.jsonl"
        archive.write_text(json.dumps(item), "utf-8")
        arguments = ["scan", "--archive", str(archive), "--window", str(DAY), "--device", "cpu"]
        told = {"arguments": arguments, "variables": {"ALIGNBOT_STATE": f"{folder}/state"}, "die": 0}
        with redirect_stdout(silence), redirect_stderr(silence):
            _command(told)


if __name__ == "__main__":
    main()
