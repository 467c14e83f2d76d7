"""The only place where edges are built and joined to the line."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bot import targets
from bot.config import Settings
from bot.edges.archive import Archive
from bot.edges.executors.local import LocalExecutor
from bot.edges.store import SqlStore
from bot.errors import InputError
from bot.model import Target, Window
from bot.pipeline import Line
from bot.registry import rules
from bot.resources import resource
from bot.stages.markup import install

SAMPLE = "2026-11-11"


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Now, in UTC."""
        return datetime.now(UTC)


def templates() -> Environment:
    """Templates of issues and reports. Markdown and Python are no HTML: nothing is escaped, filters quote."""
    loader = FileSystemLoader(resource("templates"))
    made = Environment(
        loader=loader,
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701
        keep_trailing_newline=True,
    )
    return install(made)


def target(device: str) -> Target:
    """The profile of a device that can be run on. Raises InputError naming those there are."""
    try:
        return targets.load(device.partition(":")[0])
    except KeyError as error:
        raise InputError(f"no target profile for '{device}'; there are {', '.join(targets.names())}") from error


def executor(settings: Settings, device: str, *, unsandboxed: bool) -> LocalExecutor:
    """Runs scripts on this machine."""
    return LocalExecutor(
        python=settings.run.python,
        target=target(device),
        unsandboxed=unsandboxed,
        render_node=settings.run.render_node,
    )


@contextmanager
def store(settings: Settings) -> Iterator[SqlStore]:
    """The database, open for as long as it is used."""
    opened = SqlStore(settings.database)
    try:
        yield opened
    finally:
        opened.close()


def line(settings: Settings, device: str, opened: SqlStore, *, unsandboxed: bool) -> Line:
    """Everything that the stages need."""
    return Line(
        target=target(device),
        executor=executor(settings, device, unsandboxed=unsandboxed),
        store=opened,
        clock=SystemClock(),
        templates=templates(),
        classify_rules=rules("classify"),
        extract_rules=rules("extract"),
        port_rules=rules("port"),
        repeats=settings.run.repeats,
        timeout_s=settings.run.timeout_s,
        memory_bytes=settings.run.memory,
        unsandboxed=unsandboxed,
    )


def source(archive: Path | None, window: Window | None, *, sample: bool) -> tuple[Archive, Window]:
    """The items of a scan and its window. Raises InputError that says what to give."""
    if sample and archive:
        raise InputError("--sample is an archive of its own: leave --archive out")
    if not sample and archive is None:
        raise InputError("give --archive FILE or --sample; reading GitHub directly is not there yet")
    chosen = Archive(resource("sample") / f"{SAMPLE}.jsonl" if sample else Path(str(archive)), window)
    if chosen.window is None:
        raise InputError(f"{chosen.path} does not say its window: give --window")
    if window not in (None, chosen.window):
        raise InputError(f"{chosen.path} holds {chosen.window}, not {window}: leave --window out")
    return chosen, chosen.window
