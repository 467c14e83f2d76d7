"""Progress for people: a bar with counts on a terminal, plain lines elsewhere; always on standard error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress

from bot.model import Case
from bot.seams import Progress


class PlainLines:
    """One line a stage, one a case: for logs and pipes."""

    def __init__(self) -> None:
        self._total = 0
        self._finished = 0

    def note(self, text: str) -> None:
        """Say it."""
        self._print(text)

    def begin(self, total: int) -> None:
        """Say how much there is to do."""
        self._total = total
        self._print(f"{total} cases to follow")

    def stage(self, case: Case, name: str) -> None:
        """Say what is done now."""
        self._print(f"{case.leader.key}: {name}")

    def finish(self, case: Case) -> None:
        """Say how the case ended."""
        self._finished += 1
        if case.outcome is not None:
            told = f"{case.outcome.kind} at {case.outcome.stage}: {case.outcome.reason}"
            self._print(f"[{self._finished}/{self._total}] {case.leader.key}: {told}")

    def _print(self, text: str) -> None:
        print(text.encode("ascii", "backslashreplace").decode(), file=sys.stderr, flush=True)  # noqa: T201


class Bar:
    """A bar that names the case and the stage."""

    def __init__(self, bar: RichProgress) -> None:
        self._bar = bar
        self._task = bar.add_task("reading", total=None)

    def note(self, text: str) -> None:
        """The bar says it."""
        self._bar.update(self._task, description=text)

    def begin(self, total: int) -> None:
        """The bar learns its length."""
        self._bar.update(self._task, total=total, description="following cases")

    def stage(self, case: Case, name: str) -> None:
        """The bar names case and stage."""
        self._bar.update(self._task, description=f"#{case.leader.number} {name}")

    def finish(self, case: Case) -> None:
        """One step further."""
        self._bar.advance(self._task)
        if case.outcome is not None and case.outcome.kind == "finding":
            self._bar.console.print(f"finding: #{case.leader.number}", markup=False)


@contextmanager
def progress_on_stderr() -> Iterator[Progress]:
    """A bar on a terminal, else lines."""
    if not sys.stderr.isatty():
        yield PlainLines()
        return
    columns = (
        TextColumn("{task.description:<24}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield Bar(bar)
