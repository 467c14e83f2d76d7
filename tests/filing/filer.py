"""A filer that can be killed: each turn is a fork of a process that has imported everything.

Run as a script: a line of standard input is a JSON object of `state`, `api`, `token`, `now`, `caps`, `count` (findings
that are approved), `kill` (a named point, or null) and `nth`. Answered is a line with the number of the fork, and one
with its exit code, negative for a signal. A fork with `hold` waits at that point until a file is there, so that another
filer can come between.
"""

import json
import os
import signal
import subprocess
import sys
import time as machine
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

POINTS = (
    "before plan", "after plan", "before take", "after take", "before send", "after send", "before post", "after post",
    "before confirm", "after confirm", "before find", "after find", "before doubt", "after doubt", "before renew",
    "before take_back", "after take_back", "before keep_waiting", "before release", "after release",
)  # fmt: skip
"""Where a filer can be killed: around each thing that it does to the outbox or asks of the tracker."""


class Watched:
    """An outbox or a tracker around the real one; `at` is told before and after each of its methods."""

    def __init__(self, inner: Any, at: Callable[[str], None]) -> None:
        self._inner, self._at = inner, at

    def __getattr__(self, name: str) -> Any:
        """Every method, with a point before and one after."""

        def watched(*arguments: Any, **named: Any) -> Any:
            self._at(f"before {name}")
            answer = getattr(self._inner, name)(*arguments, **named)
            self._at(f"after {name}")
            return answer

        return watched


@dataclass
class Fatal:
    """Kills its process, or holds it, the nth time that a point is passed."""

    point: str | None
    nth: int = 1
    hold: str | None = None
    seen: int = field(default=0, init=False)

    def __call__(self, name: str) -> None:
        """A point is passed."""
        self.seen += name == self.point
        if name != self.point or self.seen != self.nth:
            return
        if self.hold is None:
            os.kill(os.getpid(), signal.SIGKILL)
        Path(f"{self.hold}.there").touch()
        while not Path(self.hold).exists():
            machine.sleep(0.01)


def turn(told: dict[str, Any]) -> int:
    """One turn of filing over a state folder: plan what is approved, then drain."""
    from bot.edges.github.tracker import GitHubTracker  # noqa: PLC0415
    from bot.filing import Desk, drain  # noqa: PLC0415
    from bot.model import Limits  # noqa: PLC0415
    from tests.filing.desk import Switch, Time, issue, open_gate, outbox_at, writing  # noqa: PLC0415

    fatal = Fatal(told["kill"], told["nth"], told["hold"])
    time = Time(datetime.fromisoformat(told["now"]))
    outbox: Any = Watched(outbox_at(Path(told["state"])), fatal)
    for number in range(told["count"]):
        outbox.plan(issue(number, at=time.now()))
    with writing(Address(told["api"]), told["token"], time, timeout_s=told["timeout_s"]) as forge:  # type: ignore[arg-type]
        tracker: Any = Watched(GitHubTracker(forge.rest), fatal)
        desk = Desk(outbox, tracker, forge.limiter, Switch(), open_gate, Limits(**told["caps"]))
        done = drain(desk, f"process {os.getpid()}")
    return 3 if done.halted else 0


@dataclass
class Address:
    """Where a double of another process is."""

    url: str


@dataclass
class Filer:
    """The script, running."""

    script: "subprocess.Popen[str]"
    told: dict[str, Any]
    child: int = 0

    def start(self, kill: str | None = None, nth: int = 1, hold: Path | None = None, **more: Any) -> None:
        """Begin a turn."""
        line = {**self.told, "kill": kill, "nth": nth, "hold": str(hold) if hold else None, **more}
        assert self.script.stdin is not None
        assert self.script.stdout is not None
        self.script.stdin.write(json.dumps(line) + "\n")
        self.script.stdin.flush()
        self.child = int(self.script.stdout.readline())

    def end(self) -> int:
        """Its exit code, negative where a signal ended it."""
        assert self.script.stdout is not None
        return int(self.script.stdout.readline())

    def run(self, kill: str | None = None, nth: int = 1, **more: Any) -> int:
        """A whole turn."""
        self.start(kill, nth, **more)
        return self.end()

    def murder(self) -> None:
        """Kill the turn that runs now, from outside."""
        os.kill(self.child, signal.SIGKILL)


@contextmanager
def filing(**told: Any) -> Iterator[Filer]:
    """The script, until it is no longer needed; `told` is the same for every turn."""
    script = subprocess.Popen(
        [sys.executable, "-m", "tests.filing.filer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with script:
        yield Filer(script, told)
        assert script.stdin is not None
        script.stdin.close()


def main() -> None:
    """Answer until there is nothing more to do."""
    import tests.filing.desk  # noqa: F401, PLC0415

    for line in sys.stdin:
        told = json.loads(line)
        child = os.fork()
        if child == 0:
            code = 70
            try:
                code = turn(told)
            finally:
                os._exit(code)
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
