"""One scan from order to files: what `scan` and the daemon both do."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot import wire
from bot.edges.lock import only_one
from bot.edges.outputs import check_folder, write_all
from bot.errors import InputError
from bot.model import Window
from bot.pipeline import scan
from bot.progress import progress_on_stderr
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


@dataclass(frozen=True, slots=True)
class Result:
    """What a scan left behind."""

    facts: dict[str, Any]
    """`report.json`."""
    out: Path
    held: bool


def run(settings: Settings, order: Order) -> Result:
    """Scan and write. Raises InputError before anything runs when source, output or sandbox can't be used."""
    source, window = wire.source(order.archive, order.window, sample=order.sample)
    device = wire.target(order.device).name
    out = order.out or settings.state.expanduser() / "scans" / f"{str(window).replace('/', '_')}-{device}"
    if order.archive is not None and order.archive.resolve().parent == out.resolve():
        raise InputError(f"{order.archive} lies in the output folder, where a scan replaces files: give another --out")
    check_folder(out)
    memory = settings.model_copy(update={"database_url": "sqlite://"}) if order.dry_run else settings
    with only_one(settings.state.expanduser()), wire.store(memory) as store:
        line = wire.line(settings, order.device, store, unsandboxed=order.unsandboxed)
        with progress_on_stderr() as progress:
            done = scan(source, window, line, progress)
        facts = report_facts(window, source.heads(), device, done.cases, done.rulings)
        write_all(out, files_of(facts, done.cases, line.templates))
    return Result(facts, out, done.held)
