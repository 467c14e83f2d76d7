"""The only place where edges are built and joined to the line."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bot import targets
from bot.config import Settings
from bot.edges.archive import Archive
from bot.edges.decisions import SqlDecisions
from bot.edges.executors.local import LocalExecutor
from bot.edges.executors.recorded import RecordedExecutor
from bot.edges.github.access import Access
from bot.edges.github.limiter import Spent
from bot.edges.outbox import SqlOutbox
from bot.edges.readings import SqlReadings
from bot.edges.stop import StopSwitch
from bot.edges.store import SqlStore
from bot.errors import InputError, LimitedError
from bot.filing import Gate, Rules, Sanitiser, approved_only, as_they_are
from bot.model import FaultPlan, Limits, Target, Window
from bot.pipeline import Line
from bot.registry import rules
from bot.resources import resource
from bot.stages import headfile
from bot.stages.markup import install

# PyGithub and httpx take half a second to import: whoever scans an archive does without.
if TYPE_CHECKING:
    from bot.edges.github.connect import Forge
    from bot.edges.github.heads import Place
    from bot.edges.github.source import GitHubSource
    from bot.edges.github.sweep import Sweep

SAMPLE = "2026-11-11"
Executor = LocalExecutor | RecordedExecutor


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


@cache
def operators() -> frozenset[str]:
    """The base names of all aten operators."""
    lines = (resource("rules") / "classify" / "operators.txt").read_text("utf-8").splitlines()
    return frozenset(line.split()[0] for line in lines if line and not line.startswith("#"))


def executor(settings: Settings, device: str, *, unsandboxed: bool, simulate: FaultPlan | None = None) -> Executor:
    """Runs scripts on this machine, or answers from recordings where they are configured.

    Raises InputError for a device that is not there, or that can't be simulated.
    """
    chosen = target(device)
    if simulate is not None and chosen.name != "xpu":
        raise InputError(f"only an xpu can be simulated, not {chosen.name}: leave --simulate out, or give --device xpu")
    if settings.run.recorded is not None:
        return RecordedExecutor(settings.run.recorded)
    return LocalExecutor(
        python=settings.run.python,
        target=chosen,
        unsandboxed=unsandboxed,
        render_node=settings.run.render_node,
        simulate=simulate,
    )


@contextmanager
def store(settings: Settings) -> Iterator[SqlStore]:
    """The database, open for as long as it is used."""
    opened = SqlStore(settings.database)
    try:
        yield opened
    finally:
        opened.close()


def line(
    settings: Settings, device: str, opened: SqlStore, *, unsandboxed: bool, simulate: FaultPlan | None = None
) -> Line:
    """Everything that the stages need."""
    return Line(
        target=target(device),
        executor=executor(settings, device, unsandboxed=unsandboxed, simulate=simulate),
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
        simulate=simulate,
    )


def decisions(opened: SqlStore) -> SqlDecisions:
    """What maintainers said of findings, in the same database."""
    return SqlDecisions(opened.engine)


class GitHub:
    """GitHub, connected to when it is first asked. What was asked of it is counted."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._forge: Forge | None = None

    def __call__(self) -> "Forge":
        """The one connection. Raises InputError when there is no way to it: no token, no key, no certificate."""
        from bot.edges.github.connect import connect  # noqa: PLC0415

        if self._forge is None:
            access = Access(**self._settings.github.model_dump())
            self._forge = connect(access, self._settings.upstream.repo, SystemClock())
        return self._forge

    @property
    def spent(self) -> dict[str, Spent]:
        """What was asked so far, by resource; empty where nothing was."""
        return self._forge.limiter.spent if self._forge else {}

    def close(self) -> None:
        """Close the connection, if there is one."""
        if self._forge is not None:
            self._forge.close()


def outbox(opened: SqlStore) -> SqlOutbox:
    """What is to be written on the tracker, in the same database."""
    return SqlOutbox(opened.engine)


def stop(settings: Settings) -> StopSwitch:
    """The switch that stops all writing."""
    return StopSwitch(settings.state.expanduser(), os.environ, SystemClock())


def limits(settings: Settings) -> Limits:
    """The most that may be written."""
    return Limits(**settings.filing.caps.model_dump())


def gate(settings: Settings, opened: SqlStore) -> Gate:  # noqa: ARG001  the mode and the kinds that are automatic
    """Whether something about a finding may leave: in every mode what a person approved, until there is more to ask."""
    return approved_only(decisions(opened).history)


def sanitiser(settings: Settings) -> Sanitiser:  # noqa: ARG001  the allow-lists
    """What all texts pass on their way out; the one place to put it."""
    return as_they_are


def rules_of_filing(settings: Settings, opened: SqlStore) -> Rules:
    """What holds for every issue that is filed."""
    labels = target("xpu").labels
    filing = settings.filing
    return Rules(settings.target.repo, labels, gate(settings, opened), sanitiser(settings), filing.rehearsal)


def writing_forge(settings: Settings) -> "Forge":
    """GitHub for the filer: with its own token, and a client that sends nothing twice.

    While it waits for GitHub's limits the switch is asked, so that nothing leaves after it. Raises InputError when
    there is no write token.
    """
    from bot.edges.github.connect import connect  # noqa: PLC0415
    from bot.edges.github.tokens import FILER, find_token  # noqa: PLC0415

    switch = stop(settings)

    def sleep(seconds: float) -> None:
        time.sleep(seconds)
        if why := switch.why():
            raise LimitedError(why, SystemClock().now())

    told = settings.github.model_dump() | {"token_file": settings.filing.token_file}
    told |= {"app_id": None, "app_key_file": None, "app_installation_id": None}
    if find_token(settings.filing.token_file, os.environ, FILER) is None:
        raise InputError(
            f"nothing is filed without a write token: make one that may write issues of {settings.target.repo}, and "
            f"put it into a file that {FILER.setting} names, or into {FILER.variable}"
        )
    return connect(Access(**told), settings.target.repo, SystemClock(), sleep=sleep, place=FILER, writes=True)


def places(settings: Settings) -> "tuple[Place, Place]":
    """The upstream and the target repository."""
    from bot.edges.github.heads import Place  # noqa: PLC0415

    upstream = Place("upstream", settings.upstream.repo, settings.upstream.branch)
    return upstream, Place("target", settings.target.repo, settings.target.branch)


def sweep(settings: Settings, opened: SqlStore, github: GitHub, since: datetime) -> "Sweep":
    """What changed upstream since then."""
    from bot.edges.github.pages import Pages  # noqa: PLC0415
    from bot.edges.github.sweep import Sweep  # noqa: PLC0415

    pages = Pages(github().graphql, SqlReadings(opened.engine), None, SystemClock())
    return Sweep(pages, settings.upstream.repo, since, since)


def window_source(settings: Settings, window: Window, opened: SqlStore, github: GitHub) -> "GitHubSource":
    """A window of GitHub."""
    from bot.edges.github.source import GitHubSource  # noqa: PLC0415

    readings = SqlReadings(opened.engine)
    return GitHubSource(window, places(settings), github, readings, opened, SystemClock(), headfile)


def archive(path: Path | None, window: Window | None, *, sample: bool) -> tuple[Archive, Window] | None:
    """The archive that is to be scanned with its window; None where GitHub is. Raises InputError for what can't be."""
    if sample and path:
        raise InputError("--sample is an archive of its own: leave --archive out")
    if not sample and path is None:
        return None
    chosen = Archive(resource("sample") / f"{SAMPLE}.jsonl" if sample else Path(str(path)), window)
    if chosen.window is None:
        raise InputError(f"{chosen.path} does not say its window: give --window")
    if window not in (None, chosen.window):
        raise InputError(f"{chosen.path} holds {chosen.window}, not {window}: leave --window out")
    return chosen, chosen.window
