"""The only place where edges are built and joined to the line; what files is in `filing` beside it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined, TemplateError, TemplateSyntaxError

from bot import targets
from bot.config import Settings
from bot.edges.archive import Archive
from bot.edges.decisions import SqlDecisions
from bot.edges.executors.local import LocalExecutor
from bot.edges.executors.recorded import RecordedExecutor
from bot.edges.github.access import Access
from bot.edges.github.limiter import Spent
from bot.edges.readings import SqlReadings
from bot.edges.store import SqlStore
from bot.edges.trackers import ArchivedTracker, SqlTrackers
from bot.errors import ForgeError, InputError
from bot.model import FaultPlan, Skips, Target, Window
from bot.pipeline import Line
from bot.pipeline.register import Register
from bot.registry import rules
from bot.resources import resource
from bot.stages import headfile
from bot.stages.markup import install
from bot.stages.vocabulary import Vocabulary

# PyGithub and httpx take half a second to import: whoever scans an archive does without.
if TYPE_CHECKING:
    from bot.edges.github.connect import Forge
    from bot.edges.github.heads import Place
    from bot.edges.github.source import GitHubSource
    from bot.edges.github.sweep import Sweep
    from bot.edges.github.tracked import TrackerReading

SAMPLE = "2026-11-11"
Executor = LocalExecutor | RecordedExecutor


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Now, in UTC."""
        return datetime.now(UTC)


def templates(own: Path | None = None) -> Environment:
    """Templates of issues and reports. Markdown and Python are no HTML: nothing is escaped, filters quote.

    Those in a folder of the maintainer's `own` stand before ours. Raises InputError for a folder that is none, and for
    a template in it that can't be read.
    """
    places = [FileSystemLoader(resource("templates"))]
    if own is not None:
        if not own.expanduser().is_dir():
            raise InputError(f"{own} is no folder: set filing.templates to one that has e.g. issue/value.md.j2")
        places.insert(0, FileSystemLoader(own.expanduser()))
    made = Environment(
        loader=ChoiceLoader(places),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701
        keep_trailing_newline=True,
    )
    install(made)
    for name in places[0].list_templates() if own is not None else ():
        _compiled(made, name)
    return made


def _compiled(made: Environment, name: str) -> None:
    """Raises InputError for a template that can't be read."""
    try:
        made.get_template(name)
    except TemplateSyntaxError as error:
        raise InputError(f"the template {name}, line {error.lineno}: {error.message}; mend filing.templates") from error
    except (TemplateError, UnicodeDecodeError, OSError) as error:
        raise InputError(f"the template {name} can't be read: {error}; mend filing.templates") from error


def target(device: str) -> Target:
    """The profile of a device that can be run on. Raises InputError naming those there are."""
    try:
        return targets.load(device.partition(":")[0])
    except KeyError as error:
        raise InputError(f"no target profile for '{device}'; there are {', '.join(targets.names())}") from error


@cache
def operators() -> frozenset[str]:
    """The base names of all aten operators."""
    return frozenset(_listed("operators"))


@cache
def vocabulary() -> Vocabulary:
    """The operators that a tracker's texts are searched for; factories are in every script and say nothing."""
    return Vocabulary(
        operators() - _listed("operator_factories").keys(), _listed("operator_words"), _listed("operator_names")
    )


def _listed(name: str) -> dict[str, str]:
    """A list of the classifier's, name -> what stands behind it."""
    lines = (resource("rules") / "classify" / f"{name}.txt").read_text("utf-8").splitlines()
    return {line.partition(" ")[0]: line.partition(" ")[2] for line in lines if line and not line.startswith("#")}


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
    settings: Settings,
    device: str,
    opened: SqlStore,
    *,
    unsandboxed: bool,
    simulate: FaultPlan | None = None,
    online: bool = False,
    register: Register | None = None,
) -> Line:
    """Everything that the stages need. `online`: sources may be fetched."""
    from bot.sourcing import KernelReader  # noqa: PLC0415 -- the grammar of C++ is for those who follow cases

    chosen = target(device)
    return Line(
        target=chosen,
        executor=executor(settings, device, unsandboxed=unsandboxed, simulate=simulate),
        store=opened,
        clock=SystemClock(),
        templates=templates(settings.filing.templates),
        classify_rules=rules("classify"),
        extract_rules=rules("extract"),
        port_rules=rules("port"),
        repeats=settings.run.repeats,
        timeout_s=settings.run.timeout_s,
        memory_bytes=settings.run.memory,
        reader=KernelReader(settings, chosen, online=online),
        register=register,
        unsandboxed=unsandboxed,
        simulate=simulate,
    )


def decisions(opened: SqlStore) -> SqlDecisions:
    """What maintainers said of findings, in the same database."""
    return SqlDecisions(opened.engine)


def register(
    settings: Settings, opened: SqlStore, archive: Path | None = None, github: "Callable[[], Forge] | None" = None
) -> Register:
    """The target's tracker, an archive of it or what the store knows, and what people said of its items.

    With `github` what the store knows is brought up to date when it is first searched. Raises InputError for an
    archive that can't be read, before anything runs.
    """
    tracker = SqlTrackers(opened.engine) if archive is None else ArchivedTracker(archive)
    if archive is not None:
        tracker.state(settings.target.repo)

    def refresh() -> str:
        try:
            if github is not None:
                tracker_reading(settings, opened, github).refresh()
        except (ForgeError, InputError) as error:
            return str(error)
        return ""

    return Register(
        repo=settings.target.repo,
        tracker=tracker,
        vocabulary=vocabulary(),
        decisions=decisions(opened),
        skips=Skips(labels=settings.target.skip_labels, numbers=settings.target.muted),
        refresh=refresh if github and archive is None else lambda: "",
    )


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


def tracker_reading(settings: Settings, opened: SqlStore, github: "Callable[[], Forge]") -> "TrackerReading":
    """The target's tracker, to be read into the store."""
    from bot.edges.github.pages import Pages  # noqa: PLC0415
    from bot.edges.github.tracked import TrackerReading  # noqa: PLC0415

    forge = github()
    pages = Pages(forge.graphql, SqlReadings(opened.engine), None, SystemClock())
    return TrackerReading(pages, SqlTrackers(opened.engine), settings.target.repo, forge.limiter)


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
