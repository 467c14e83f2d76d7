"""Kill a scan at every point where it touches the store, resume it, and tell what came of it.

Run as a script: `python tests/kill_line.py FOLDER` prints one JSON object a kill point. Each scan is a forked child
that kills itself with SIGKILL before or after its Nth call of the store, while the database is a real SQLite file.
"""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bot.edges.outputs import write_all
from bot.model import Case, FrozenHeads, Item
from bot.pipeline import scan
from bot.stages.report import files_of, report_facts
from tests.fakes import Silent
from tests.sample_line import WINDOW, open_store, recorded_line, sample

NUMBERS = {204412, 204467, 204493, 204495, 204496}
"""A dropped item, two watched ones and the seed's chain: every way that a case can go."""


class Few:
    """A Source of a few of the sample's items, so that killing at each point stays quick."""

    def heads(self) -> FrozenHeads:
        """The sample's."""
        return sample().heads()

    def items(self) -> Iterator[Item]:
        """Those of NUMBERS."""
        return (item for item in sample().items() if item.number in NUMBERS)


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


def scan_once(folder: Path, fatal: int) -> int:
    """One scan in this process; how many points it passed."""
    store = open_store(folder)
    dying = Dying(store, fatal)
    done = scan(Few(), WINDOW, recorded_line(dying, folder), Silent())
    line = recorded_line(store, folder)
    facts = report_facts(WINDOW, sample().heads(), "cpu", done.cases, done.rulings)
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
    findings = [finding.fingerprint for finding, _, _ in store.findings()]
    summary = [one.model_dump(mode="json") for one in store.windows()]
    store.close()
    files = {str(path.relative_to(folder)): path.read_text("utf-8") for path in sorted((folder / "out").rglob("*.*"))}
    jobs = (folder / "jobs.txt").read_text("utf-8").splitlines()
    return {
        "cases": [case.model_dump_json() for case in cases],
        "findings": findings,
        "windows": summary,
        "files": files,
        "jobs": len(jobs),
    }


def main(folder: Path) -> None:
    """Every kill point in turn, against the state that an undisturbed scan leaves."""
    whole = folder / "whole"
    whole.mkdir()
    points = scan_once(whole, 0)
    wanted = state_of(whole)
    print(json.dumps({"points": points, "jobs": wanted["jobs"], "findings": wanted["findings"]}))
    for fatal in range(1, points + 1):
        work = folder / "killed"
        work.mkdir()
        killed = in_child(lambda fatal=fatal, work=work: scan_once(work, fatal))
        in_child(lambda work=work: scan_once(work, 0))
        found = state_of(work)
        differs = [name for name in ("cases", "findings", "windows", "files") if found[name] != wanted[name]]
        print(json.dumps({"point": fatal, "signal": killed, "differs": differs, "jobs": found["jobs"]}), flush=True)
        shutil.rmtree(work)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
