"""What is known of an issue of ours after it was filed: its tracker, what people said there, what later builds show."""

from datetime import date

from pydantic import Field

from bot.model.base import UtcTime, Value
from bot.model.outbox import Intent
from bot.model.words import ItemState, StateReason

UNKNOWN = "unknown"


class Build(Value):
    """A build of torch, as the run itself tells of it."""

    version: str = UNKNOWN
    day: date | None = None
    """The day that it was built on; None where it does not say."""
    git: str = ""
    """The commit of upstream that it was built from."""

    @property
    def key(self) -> str:
        """`2.16.0.dev20261111 2026-11-11 4be1c09d7f`: identity."""
        return " ".join((self.version, str(self.day or UNKNOWN), self.git[:10])).rstrip()

    def has(self, landed_at: UtcTime) -> bool | None:
        """Does it contain what landed then? Only a build of a later day does for sure; None: its day is not known."""
        return None if self.day is None else self.day > landed_at.date()


class Observation(Value):
    """What the reproducer of a finding showed on one build."""

    fingerprint: str
    build: Build
    shows: bool | None
    """The fault is there, or not; None where it could not be run, or showed something else."""
    why: str = ""
    at: UtcTime
    simulated: bool = False
    answers: UtcTime | None = None
    """When people asked for it; their clock is another than ours, so that only this tells which wish was met."""

    @property
    def order(self) -> tuple[UtcTime, str, bool]:
        """By time; of the same time the fault counts as the later word."""
        return self.at, self.build.key, bool(self.shows)


class Fix(Value):
    """A change of the target that closed an issue."""

    what: str
    """`#12`, or `commit 4be1c09d7f`."""
    landed_at: UtcTime


class Remark(Value):
    """A comment on an issue of ours."""

    id: int
    author: str = ""
    author_association: str = "NONE"
    bot: bool = False
    at: UtcTime
    """When it was written or changed last."""
    body: str = ""


class Tracked(Value):
    """An issue of ours as it is on the tracker, with all that we have written there or mean to."""

    repo: str
    number: int = Field(gt=0)
    state: ItemState = ItemState.OPEN
    state_reason: StateReason | None = None
    closed_at: UtcTime | None = None
    labels: tuple[str, ...] = ()
    fix: Fix | None = None
    """The newest, where one is known."""
    filed_at: UtcTime
    rehearsal: bool = False
    hush: str = ""
    """Why people want nothing said about it now; empty where they don't."""
    planned: tuple[Intent, ...] = ()
    """What the outbox has for the finding, but for what was cancelled."""


class FollowPolicy(Value):
    """What may be done to an issue after it was filed."""

    close: bool = False
    reopen: bool = False
    label: str = "no longer reproduces"
    """Put on what passes without a known fix; empty: none."""
    muted_labels: tuple[str, ...] = ()
    """Nothing is said where one of these is."""


class Note(Value):
    """What follows without anything being written."""

    fingerprint: str
    why: str
    person: bool = False
    """Somebody should look."""
