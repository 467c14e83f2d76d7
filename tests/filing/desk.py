"""What tests of filing share: a clock that is set by hand, findings as intents, a tracker in the world of a double."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.edges.github.access import Access
from bot.edges.github.connect import Forge, connect
from bot.edges.github.tokens import FILER
from bot.edges.github.tracker import GitHubTracker
from bot.edges.outbox import SqlOutbox
from bot.edges.schema import connected, upgrade
from bot.edges.stop import StopSwitch
from bot.filing import Desk
from bot.model import DefectKind, Go, Intent, Limits, Outbound, Wait
from bot.model.marks import marked
from tests.double import Double, Repository, Token, World

REPO = "intel/torch-xpu-ops"
NOON = datetime(2026, 11, 12, 12, tzinfo=UTC)
PLENTY = Limits(per_window=10_000, per_hour=10_000, per_day=10_000, per_week=10_000)
MINUTE = timedelta(minutes=1)


@dataclass
class Time:
    """A clock that stands still, but for those who sleep on it."""

    moment: datetime = NOON
    slept: list[float] = field(default_factory=list)

    def now(self) -> datetime:
        """The moment."""
        return self.moment

    def sleep(self, seconds: float) -> None:
        """Nobody waits: the moment comes."""
        self.slept.append(seconds)
        self.moment += timedelta(seconds=seconds)

    def advance(self, span: timedelta) -> None:
        """Let time go by."""
        self.moment += span


@dataclass
class Switch:
    """A Stop in memory; `asked` counts, and `after` stops from that question on."""

    reason: str | None = None
    asked: int = 0
    after: int | None = None

    def why(self) -> str | None:
        """The reason, if there is one by now."""
        self.asked += 1
        return "stopped" if self.after is not None and self.asked > self.after else self.reason

    def halt(self, reason: str) -> None:
        """From now on."""
        self.reason = reason


def open_gate(_: str) -> Go | Wait:
    """A Gate that lets everything out."""
    return Go()


def fingerprint(number: int) -> str:
    """Of a finding by its number."""
    return f"{number:016x}"


def issue(
    finding: int = 1, defect: DefectKind = DefectKind.PRECISION, at: datetime | None = None, **more: object
) -> Intent:
    """The intent of a finding's issue; those with larger numbers are younger, unless it is said."""
    plain = Intent(
        kind=Outbound.ISSUE,
        fingerprint=fingerprint(finding),
        repo=REPO,
        window="2026-11-11",
        title=f"[xpu-alignment] operator_{finding}: wrong",
        body=f"What is wrong with operator {finding}.",
        labels=("ai_generated",),
        defect_kind=defect,
        created_at=at or NOON + timedelta(milliseconds=finding),
    )
    return plain.model_copy(update=more)


def outbox_at(folder: Path) -> SqlOutbox:
    """The outbox of a state folder; its database is made if there is none."""
    there = (folder / "alignbot.db").exists()
    engine = connected(folder / "alignbot.db")
    if not there:  # looking for revisions takes longer than a whole turn
        upgrade(engine)
    return SqlOutbox(engine)


def world() -> tuple[World, Repository, str]:
    """A world with the tracker, and the token of the account that files there."""
    made = World(NOON)
    repository = made.add_repository(REPO, next_number=1)
    token = made.add_token(Token(value="ghp_" + "w" * 36, login="alignbot", scopes=("public_repo",)))
    return made, repository, token


def marks(repository: Repository) -> dict[str, list[int]]:
    """The truth: numbers of the issues on the tracker that bear a finding's mark, by fingerprint."""
    found: dict[str, list[int]] = {}
    for thread in repository.threads.values():
        for name, _ in marked(thread.body):
            found.setdefault(name, []).append(thread.number)
    return found


@contextmanager
def writing(double: Double, token: str, time: Time, timeout_s: float = 5.0) -> Iterator[Forge]:
    """GitHub for a filer, on a clock of the test's."""
    access = Access(api=double.url, timeout_s=timeout_s)
    environ = {FILER.variable: token}
    with connect(access, REPO, time, environ, sleep=time.sleep, place=FILER, writes=True) as forge:
        yield forge


@dataclass
class Room:
    """A filer's desk over a double, and all that a test looks at."""

    double: Double
    repository: Repository
    token: str
    outbox: SqlOutbox
    switch: Switch
    time: Time
    limits: Limits = PLENTY
    gate: Callable[[str], Go | Wait] = open_gate
    rehearsal: bool = False
    timeout_s: float = 5.0

    @contextmanager
    def desk(self) -> Iterator[Desk]:
        """A filer that starts anew: nothing is remembered but what the database holds."""
        with writing(self.double, self.token, self.time, self.timeout_s) as forge:
            tracker = GitHubTracker(forge.rest)
            yield Desk(self.outbox, tracker, forge.limiter, self.switch, self.gate, self.limits, self.rehearsal)

    def pass_time(self, span: timedelta) -> None:
        """On both clocks."""
        self.time.advance(span)
        self.double.world.clock.advance(span.total_seconds())

    @property
    def posts(self) -> list[str]:
        """What was written on the tracker, in order: method and path. What GraphQL is asked is only read."""
        written = (each for each in self.double.log if each.method != "GET" and each.path != "/graphql")
        return [f"{each.method} {each.path}" for each in written]


def stop_file(folder: Path, time: Time, **environ: str) -> StopSwitch:
    """The switch of a state folder."""
    return StopSwitch(folder, environ, time)
