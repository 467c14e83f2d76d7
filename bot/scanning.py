"""One scan from order to files: what `scan` and the daemon both do."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot import wire
from bot.edges.lock import only_one
from bot.edges.outputs import check_folder, write_all
from bot.edges.store import SqlStore
from bot.errors import InputError
from bot.model import Case, FaultPlan, Window
from bot.pipeline import scan
from bot.progress import progress_on_stderr
from bot.seams import Source
from bot.settings import Settings
from bot.stages.report import files_of, report_facts


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be scanned, and where the results go."""

    window: Window | None = None
    sample: bool = False
    archive: Path | None = None
    device: str = "xpu"
    out: Path | None = None
    dry_run: bool = False
    unsandboxed: bool = False
    simulate: FaultPlan | None = None
    """Run on a simulated device with these faults."""
    tracker: Path | None = None
    """An archive of the target's issues and pull requests, searched in place of what the store knows."""
    quiet: bool = False
    """Tell no progress: for a service, whose log has a line a window."""

    @property
    def reads_github(self) -> bool:
        """Neither the sample nor an archive."""
        return not (self.sample or self.archive)


@dataclass(frozen=True, slots=True)
class Result:
    """What a scan left behind."""

    window: Window
    out: Path
    facts: dict[str, Any]
    """`report.json`."""
    held: bool
    """Is it to be asked again?"""


class Quiet:
    """A Progress that tells nothing."""

    def note(self, text: str) -> None:
        """Nothing."""

    def begin(self, total: int) -> None:
        """Nothing."""

    def stage(self, case: Case, name: str) -> None:
        """Nothing."""

    def finish(self, case: Case) -> None:
        """Nothing."""


def run(settings: Settings, order: Order, github: wire.GitHub) -> Result:
    """Scan and write. Raises InputError before anything runs when source, output or sandbox can't be used.

    Raises ForgeError when GitHub does not give all that it takes: what it gave is kept, and the next scan goes on.
    """
    held = wire.archive(order.archive, order.window, sample=order.sample)
    window = held[1] if held else order.window
    if window is None:
        raise InputError("say what to scan: --window 2026-11-11 for GitHub, --archive FILE or --sample")
    device = wire.target(order.device).name
    if order.simulate is not None:
        wire.executor(settings, order.device, unsandboxed=order.unsandboxed, simulate=order.simulate)
        device = f"simulated-{device}"
    out = order.out or settings.state.expanduser() / "scans" / f"{str(window).replace('/', '_')}-{device}"
    if order.archive is not None and order.archive.resolve().parent == out.resolve():
        raise InputError(f"{order.archive} lies in the output folder, where a scan replaces files: give another --out")
    check_folder(out)
    with working(settings, forget=order.dry_run) as store:
        source: Source = held[0] if held else wire.window_source(settings, window, store, github)
        line = wire.line(
            settings,
            order.device,
            store,
            unsandboxed=order.unsandboxed,
            simulate=order.simulate,
            online=order.reads_github,
            register=wire.register(settings, store, order.tracker, github if order.reads_github else None),
        )
        with nullcontext(Quiet()) if order.quiet else progress_on_stderr() as progress:
            done = scan(source, window, line, progress)
        facts = report_facts(done)
        write_all(out, files_of(facts, done.cases, line.templates))
        # only now: a scan that is killed before its files are there is one to be done again
        store.finish_scan(window, device, "held" if done.held else "done")
    return Result(window, out, facts, done.held)


@contextmanager
def working(settings: Settings, *, forget: bool = False) -> Iterator[SqlStore]:
    """The store while nobody else works on the state folder; `forget` makes it one that is thrown away."""
    with ExitStack() as stack:
        stack.enter_context(only_one(settings.state.expanduser()))
        if forget:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="alignbot-")))
            settings = settings.model_copy(update={"database_url": f"sqlite:///{folder / 'forgotten.db'}"})
        yield stack.enter_context(wire.store(settings))
