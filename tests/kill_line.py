"""Kill a scan at every point where it touches the store or its output folder, resume it, and tell what came of it.

Run as a script: `python tests/kill_line.py FOLDER` prints one JSON object a kill point. Each scan is a forked child
that kills itself with SIGKILL before or after its Nth call of the store, while the database is a real SQLite file, or
before its Nth step below the output folder (open, rename, make, remove), as Python's audit events tell them.
"""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.edges.outputs import write_all
from bot.model import Case
from bot.pipeline import scan
from bot.stages.report import files_of, report_facts
from tests.fakes import OnDemand, Silent
from tests.sample_line import WINDOW, open_store, recorded_line, sample

NUMBERS = {204412, 204467, 204493, 204495, 204496}
"""A dropped item, two watched ones and the seed's chain: every way that a case can go."""


def few() -> OnDemand:
    """A few of the sample's items, so that killing at each point stays quick; the seed's fix lies outside."""
    items = [item for item in sample().items() if item.number in NUMBERS]
    return OnDemand(items, sample().heads(), outside={"pytorch/pytorch#204495"})


class Dying:
    """A Store around the real one that kills its process at one call: before it, or after it."""

    def __init__(self, inner: Any, fatal: int) -> None:
        self._inner, self._fatal, self.calls = inner, fatal, 0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Every method of the Protocol, counted twice: once before it acts and once after."""

        def counted(*arguments: Any) -> Any:
            self._step()
            answer = getattr(self._inner, name)(*arguments)
            self._step()
            return answer

        return counted

    def _step(self) -> None:
        self.calls += 1
        if self.calls == self._fatal:
            os.kill(os.getpid(), signal.SIGKILL)


def die_while_writing(folder: Path, fatal: int) -> list[str]:
    """From now on kill this process before its Nth step below `folder`; the steps are listed as they come."""
    steps: list[str] = []

    def step(name: str, arguments: tuple[Any, ...]) -> None:
        touches = name in {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir"}
        if touches and str(arguments[0]).startswith(str(folder)):
            steps.append(name)
            if len(steps) == fatal:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(step)
    return steps


def scan_once(folder: Path, fatal: int) -> int:
    """One scan in this process; how many points it passed."""
    store = open_store(folder)
    dying = Dying(store, fatal)
    done = scan(few(), WINDOW, recorded_line(dying, folder), Silent())
    line = recorded_line(store, folder)
    facts = report_facts(done)
    write_all(folder / "out", files_of(facts, done.cases, line.templates))
    store.close()
    return dying.calls


def in_child(work: Callable[[], Any]) -> int | None:
    """Run in a fork; the signal that ended it, or None."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status)
    if os.WEXITSTATUS(status):
        raise RuntimeError("a scan failed")
    return None


def state_of(folder: Path) -> dict[str, Any]:
    """What is left after a scan: the report's files, and the cases in the store."""
    store = open_store(folder)
    cases: list[Case] = store.cases(WINDOW, "cpu")
    attempts = [len(store.attempts(case.key)) for case in cases]
    findings = [finding.fingerprint for finding, _, _ in store.findings()]
    summary = [one.model_dump(mode="json") for one in store.windows()]
    items = [item.model_dump_json() for item in store.items(WINDOW)]
    store.close()
    paths = sorted(path for path in (folder / "out").rglob("*") if path.is_file())
    files = {str(path.relative_to(folder)): path.read_text("utf-8") for path in paths}
    jobs = (folder / "jobs.txt").read_text("utf-8").splitlines()
    return {
        "items": items,
        "cases": [case.model_dump_json() for case in cases],
        "attempts": attempts,
        "findings": findings,
        "windows": summary,
        "files": files,
        "jobs": len(jobs),
    }


COMPARED = ("items", "cases", "attempts", "findings", "windows", "files")


def main(folder: Path) -> None:
    """Every kill point in turn, against the state that an undisturbed scan leaves."""
    whole = folder / "whole"
    whole.mkdir()
    points = scan_once(whole, 0)
    wanted = state_of(whole)
    steps = points_of_writing(whole, folder / "count")
    print(json.dumps({"points": points, "steps": steps, "jobs": wanted["jobs"], "findings": wanted["findings"]}))
    for fatal in range(1, points + steps + 1):
        work = folder / "killed"
        if fatal <= points:
            work.mkdir()
            killed = in_child(lambda fatal=fatal, work=work: scan_once(work, fatal))
        else:
            stale_copy(whole, work)
            killed = in_child(lambda fatal=fatal - points, work=work: written_once(work, fatal))
        in_child(lambda work=work: scan_once(work, 0))
        found = state_of(work)
        differs = [name for name in COMPARED if found[name] != wanted[name]]
        print(json.dumps({"point": fatal, "signal": killed, "differs": differs, "jobs": found["jobs"]}), flush=True)
        shutil.rmtree(work)


def stale_copy(whole: Path, work: Path) -> None:
    """A scanned folder whose output is an earlier scan's: one draft and one log too many, the report of old."""
    shutil.copytree(whole, work)
    for name in (f"drafts/{'0' * 16}.md", "logs/1.1.stdout.txt", "report.json"):
        (work / "out" / name).write_text("of old", "utf-8")


def written_once(work: Path, fatal: int) -> list[str]:
    """A scan, resumed whole from the store, that is killed while it writes."""
    steps = die_while_writing(work / "out", fatal)
    scan_once(work, 0)
    return steps


def points_of_writing(whole: Path, work: Path) -> int:
    """How many steps such a scan takes in its output folder; counted in a fork, as an audit hook can't be removed."""
    stale_copy(whole, work)
    count = work / "steps.txt"
    in_child(lambda: count.write_text(str(len(written_once(work, 0))), "utf-8"))
    return int(count.read_text("utf-8"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
