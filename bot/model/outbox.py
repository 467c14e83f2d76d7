"""What leaves for a tracker: each thing is an intent first, and whatever became of it stands in its row."""

import hashlib
from enum import StrEnum

from pydantic import Field

from bot.model.base import UtcTime, Value
from bot.model.marks import block, mark
from bot.model.words import DefectKind

LONGEST_BODY = 65_536
"""Characters of an issue or a comment on GitHub."""
SEVERITY = {
    DefectKind.SILENT_WRONG_RESULT: 0,
    DefectKind.MEMORY_ERROR: 0,
    DefectKind.OVERFLOW: 1,
    DefectKind.PRECISION: 1,
    DefectKind.NAN: 1,
    DefectKind.CRASH: 2,
    DefectKind.DETERMINISM: 2,
    DefectKind.MISSING_CHECK: 3,
    DefectKind.DTYPE_SHAPE: 3,
    DefectKind.NONE: 4,
}
"""What goes first where not everything may go: what nobody would notice, then what is loud."""


class Outbound(StrEnum):
    """Every kind of thing that is written on a tracker."""

    ISSUE = "issue"
    COMMENT = "comment"
    EDIT = "edit"
    LABEL = "label"
    CLOSE = "close"
    REOPEN = "reopen"
    REACTION = "reaction"


class IntentState(StrEnum):
    """How far an intent has come."""

    PLANNED = "planned"
    """It waits; nothing was sent."""
    SENDING = "sending"
    """It may be on its way: this is written before the request, and outlives a kill."""
    DONE = "done"
    UNKNOWN = "unknown"
    """It was sent and nobody knows whether it was carried out: it is looked for and never sent again by itself."""
    REFUSED = "refused"
    """The tracker said no; nothing was written."""
    CANCELLED = "cancelled"


OPEN = frozenset({IntentState.PLANNED, IntentState.SENDING, IntentState.UNKNOWN})
UNSETTLED = frozenset({IntentState.SENDING, IntentState.UNKNOWN})


class Filed(Value):
    """Where something is on the tracker."""

    number: int
    url: str
    comment: int | None = None
    """The id of a comment."""


class Intent(Value):
    """One thing that is to be written, and what became of it."""

    id: str = ""
    """16 hexadecimal digits over kind, finding, repository, subject and attempt; given by the outbox."""
    kind: Outbound
    fingerprint: str
    repo: str
    about: str = ""
    """Tells several of a kind apart that one finding may have: the build of a comment, the comment of a reaction."""
    rehearsal: bool = False
    """For a tracker that nobody else sees; it never goes to another, and stands for nothing that was filed there."""
    attempt: int = 1
    window: str = ""
    """The window that it counts for; empty for what belongs to none."""
    number: int | None = None
    """The issue; None for one that is to be opened."""
    comment: int | None = None
    """The comment that is edited or reacted to; None for the issue itself."""
    title: str = ""
    body: str = ""
    """The text without our marks; of a reaction its name, of a close the reason."""
    labels: tuple[str, ...] = ()
    defect_kind: DefectKind = DefectKind.NONE
    created_at: UtcTime
    state: IntentState = IntentState.PLANNED
    sent_at: UtcTime | None = None
    """When it was sent, on the tracker's clock as well as that was known."""
    done_at: UtcTime | None = None
    filed: Filed | None = None
    why: str = ""
    """Why it waits, is unknown, was refused or cancelled."""
    fence: int = 0
    """The token of the lease under which it changed last."""
    looks: int = 0
    """How often it was looked for since it is unknown."""
    looked_at: UtcTime | None = None

    @property
    def key(self) -> str:
        """What only one open intent may be for."""
        return "|".join((self.kind, self.fingerprint, self.repo, self.about, *["rehearsal"] * self.rehearsal))

    @property
    def severity(self) -> int:
        """0 goes first."""
        return SEVERITY[self.defect_kind]

    @property
    def marker(self) -> str:
        """Identity in the text itself: the tracker is the truth, the outbox a memory."""
        return mark(self.fingerprint, self.id)

    @property
    def text(self) -> str:
        """The text as it is sent, with the marker: an issue with an empty block for news, a comment as one block."""
        if self.kind is Outbound.ISSUE:
            return f"{self.body.rstrip()}\n\n{block('', self.id)}\n{self.marker}\n"
        return f"{block(self.body.strip(), self.id)}\n{self.marker}\n"


def identity(key: str, attempt: int) -> str:
    """The id of an intent: the same whoever computes it."""
    return hashlib.sha256(f"1\0{key}\0{attempt}".encode()).hexdigest()[:16]


class Go(Value):
    """It may leave."""


class Wait(Value):
    """It may not leave now."""

    reason: str
    all: bool = False
    """Nothing else may, either."""


class Carried(Value):
    """The tracker did it, and says where."""

    filed: Filed


class Unsent(Value):
    """Nothing reached the tracker, or it asked to come again later: nothing was done."""

    why: str


class Declined(Value):
    """The tracker said no: nothing was done, and the same would be refused again."""

    why: str
    all: bool = False
    """It would refuse everything else, too: credentials, rights, the repository."""


class Unsure(Value):
    """It was sent, and nobody knows whether it was done."""

    why: str


class Overtaken(Value):
    """A person has changed what was to be edited; nothing was sent."""

    why: str


Answer = Carried | Unsent | Declined | Unsure | Overtaken


class Lease(Value):
    """The right to write, until it ends or somebody else has it."""

    holder: str
    token: int
    """Grows with each holder: what an earlier one still does is refused."""
    expires_at: UtcTime


class Limits(Value):
    """The most that may be written, of all kinds together."""

    per_window: int
    per_hour: int
    per_day: int
    per_week: int


class Used(Value):
    """What was written of that, or may have been."""

    hour: int = 0
    day: int = 0
    week: int = 0
    window: dict[str, int] = Field(default_factory=dict)
    """By window."""

    def full(self, limits: Limits) -> str:
        """Which cap of time is reached; empty where none is."""
        for name, used, most in (
            ("hour", self.hour, limits.per_hour),
            ("day", self.day, limits.per_day),
            ("week", self.week, limits.per_week),
        ):
            if used >= most:
                return f"{used} of {most} writes of this {name} are used (filing.caps.per_{name})"
        return ""

    def window_full(self, window: str, limits: Limits) -> str:
        """Whether the cap of a window is reached; what belongs to none has none."""
        used = self.window.get(window, 0)
        if not window or used < limits.per_window:
            return ""
        return f"{used} of {limits.per_window} writes for {window} are used (filing.caps.per_window)"
