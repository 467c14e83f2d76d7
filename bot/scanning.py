"""One scan from order to files: what `scan` and the daemon both do."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot import wire
from bot.edges.github.limiter import Spent
from bot.edges.lock import only_one
from bot.edges.outputs import check_folder, write_all
from bot.edges.store import SqlStore
from bot.errors import InputError
from bot.model import Window
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

    @property
    def reads_github(self) -> bool:
        """Neither the sample nor an archive."""
        return not (self.sample or self.archive)


@dataclass(frozen=True, slots=True)
class Result:
    """What a scan left behind."""

    facts: dict[str, Any]
    """`report.json`."""
    out: Path
    held: bool
    spent: Mapping[str, Spent] = field(default_factory=dict)
    """What was asked of GitHub, by resource."""


def run(settings: Settings, order: Order) -> Result:
    """Scan and write. Raises InputError before anything runs when source, output or sandbox can't be used."""
    held = wire.archive(order.archive, order.window, sample=order.sample)
    window = held[1] if held else order.window
    if window is None:
        raise InputError("say what to scan: --window, --archive or --sample")
    device = wire.target(order.device).name
    out = order.out or settings.state.expanduser() / "scans" / f"{str(window).replace('/', '_')}-{device}"
    if order.archive is not None and order.archive.resolve().parent == out.resolve():
        raise InputError(f"{order.archive} lies in the output folder, where a scan replaces files: give another --out")
    check_folder(out)
    with working(settings, forget=order.dry_run) as (store, github):
        source: Source = held[0] if held else wire.window_source(settings, window, store, github)
        line = wire.line(settings, order.device, store, unsandboxed=order.unsandboxed)
        with progress_on_stderr() as progress:
            done = scan(source, window, line, progress)
        facts = report_facts(done)
        write_all(out, files_of(facts, done.cases, line.templates))
        return Result(facts, out, done.held, github.spent)


@contextmanager
def working(settings: Settings, *, forget: bool = False) -> Iterator[tuple[SqlStore, wire.GitHub]]:
    """Store and GitHub while nobody else works on the state folder; `forget` makes it a store that is thrown away."""
    with ExitStack() as stack:
        stack.enter_context(only_one(settings.state.expanduser()))
        if forget:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="alignbot-")))
            settings = settings.model_copy(update={"database_url": f"sqlite:///{folder / 'forgotten.db'}"})
        store = stack.enter_context(wire.store(settings))
        yield store, stack.enter_context(closing(wire.GitHub(settings)))
