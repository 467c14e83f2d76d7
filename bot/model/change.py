"""What is known of an upstream change beside its ruling: what holds it together, where it stands, whose code it is."""

from pydantic import Field

from bot.model.base import UtcTime, Value
from bot.model.words import ChangeState, DecisionKind, ItemClass, Kinship, Ownership


class Tie(Value):
    """Why two items are one upstream change."""

    key: str
    """Of the item that says so."""
    other: str
    kinship: Kinship


class Standing(Value):
    """Where an upstream change stands."""

    state: ChangeState
    why: str
    since: UtcTime | None = None
    """When it landed, was taken back or was closed; of an open one when it was opened."""
    landed_sha: str | None = None
    """The commit on the default branch, while it is there."""


class Owned(Value):
    """Whose code has the fault, by names and paths: no source was read for it."""

    ownership: Ownership
    why: str
    kernel: str | None = None
    """The target's function that the dispatcher calls."""
    path: str | None = None
    """The target's file, as it was named when its table was made."""


class Decision(Value):
    """What a maintainer said of a finding, and when."""

    fingerprint: str
    kind: DecisionKind
    reason: str = Field(min_length=1)
    decided_at: UtcTime
    item_class: ItemClass | None = None
    """Of a rejected one: what its item is, and no candidate."""
    of: int | None = None
    """Of a duplicate: the target's issue or pull request that told it before, where there is one."""
    by: str = ""
    """Who said it."""
    until: UtcTime | None = None
    """Of a snoozed one: when it is asked for again."""
    comment: int | None = None
    """Of one that was said on the tracker: the comment that said it."""
