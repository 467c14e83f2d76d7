"""The target's tracker as far as it is known, and what a search of it for one finding gave."""

from typing import Self

from pydantic import Field

from bot.model.base import UtcTime, Value
from bot.model.upstream import Item
from bot.model.words import ItemKind, ItemState, StateReason


class TrackedItem(Value):
    """An issue or pull request of the target's repository."""

    number: int = Field(gt=0)
    kind: ItemKind
    title: str
    body: str = ""
    labels: tuple[str, ...] = ()
    state: ItemState = ItemState.OPEN
    state_reason: StateReason | None = None
    author: str = ""
    created_at: UtcTime | None = None
    updated_at: UtcTime | None = None
    closed_at: UtcTime | None = None
    merged_at: UtcTime | None = None
    url: str | None = None
    closes: tuple[int, ...] = ()
    """Issues of the same repository that GitHub says this pull request closes."""
    files: tuple[str, ...] = ()
    """Paths that a pull request changes, where they are known."""

    @classmethod
    def of(cls, item: Item, closes: tuple[int, ...] = ()) -> Self:
        """An issue or pull request as it is tracked: without its comments and patches."""
        return cls(
            number=int(item.number),
            kind=item.kind,
            title=item.title,
            body=item.body,
            labels=item.labels,
            state=item.state,
            state_reason=item.state_reason,
            author=item.author,
            created_at=item.created_at,
            updated_at=item.updated_at,
            closed_at=item.closed_at,
            merged_at=item.merged_at,
            url=item.url,
            closes=closes,
            files=tuple(file.path for file in item.files),
        )


class TrackerState(Value):
    """How far a tracker was read."""

    as_of: UtcTime | None = None
    """Up to when every change was seen; None until the tracker was read whole once."""
    begun_at: UtcTime | None = None
    """When the reading of all of it began, while it is under way."""
    cursors: dict[str, str | None] = Field(default_factory=dict)
    """Kind of thread -> where its next page begins; a kind that is missing was read to its end."""


class Nearness(Value):
    """How near an item of the tracker is to a finding, and why."""

    number: int
    score: float = Field(ge=0, le=1)
    """1 for the same defect; below that it is a suggestion."""
    exact: bool = False
    reasons: tuple[str, ...] = ()
    """Clauses that a maintainer can read, those that speak against it too."""
    kind: ItemKind = ItemKind.ISSUE
    title: str = ""
    state: ItemState = ItemState.OPEN


class Matches(Value):
    """What a search of the tracker for one finding gave."""

    repo: str
    exact: Nearness | None = None
    near: tuple[Nearness, ...] = ()
    """The nearest first."""
    searched: int
    """Issues and pull requests, open and closed, that were looked at."""
    as_of: UtcTime | None = None
    """Up to when the tracker's changes had been seen."""
    queries: tuple[str, ...] = ()
    """What was looked for, in words."""
    suppressed: str | None = None
    """Why the finding is not told anew, with the exact match or a person's word as the reason."""
    look_again_days: int | None = None
    """Until a suppressed finding is asked again: a newer build may show that a fix did not help."""
    recurs: str | None = None
    """Why it is, though its tracker was closed as fixed: the fault shows on a newer build."""


class Suppress(Value):
    """A tracker's item stands for the finding: nothing is told anew."""

    reason: str
    look_again_days: int | None = None
    """Until it is asked again whether it still does; None where only a person or the tracker itself changes that."""


class Recurrence(Value):
    """A tracker's item was closed as fixed, and the fault is there on a build that should have the fix."""

    reason: str


class Skips(Value):
    """What a maintainer does not want to hear of again."""

    labels: tuple[str, ...] = ()
    """Of issues that are known and left alone; compared in small letters, blanks and dashes as `_`."""
    numbers: tuple[int, ...] = ()
    """Of the tracker's issues and pull requests."""
