"""What has been read of a window, and the proof that nothing in it was missed.

GitHub's lists lag and lose; its numbers do not. Issues, pull requests and discussions of a repository share one
sequence without gaps, so a window is proven by saying of every number that it spans what became of it.
"""

from typing import Self

from pydantic import Field, model_validator

from bot.model.base import UtcTime, Value
from bot.model.upstream import FrozenHeads, Window
from bot.model.words import FateKind, ReadingState

NAMED = 20
"""Unaccounted numbers that a proof names; it counts them all."""


class Fate(Value):
    """What one number turned out to be."""

    kind: FateKind
    created_at: UtcTime | None = None


class Proof(Value):
    """Every number that a window spans, accounted for or named."""

    first: int | None = None
    """Lowest number of the issues and pull requests of the window; None where it has none."""
    last: int | None = None
    """Highest such number in the sequence's own order: what was transferred in later stands beyond it."""
    accounted: dict[str, int] = Field(default_factory=dict)
    """How many numbers between `before` and `after` are an `issue` or a `pull` of the window, a `discussion`,
    `transferred` away, `deleted`, `hidden`, `elsewhere` (an issue or pull request created outside the window), or
    `open` (not accounted for). `arrived` counts items of the window whose number lies beyond: transferred in later.
    A count of none may be missing."""
    unaccounted: tuple[int, ...] = ()
    """The first NAMED of the numbers counted as `open`."""
    before: int | None = None
    """A number below that was created before the window, 0 where the sequence begins; None: not established."""
    after: int | None = None
    """A number above that was created after the window; None: not established, or see `at_newest`."""
    at_newest: bool = False
    """Every number up to the newest was looked at: the window reaches to the end of the sequence."""

    @property
    def whole(self) -> bool:
        """Nothing is unaccounted for, and both sides are bracketed."""
        bracketed = self.before is not None and (self.after is not None or self.at_newest)
        return bracketed and not self.unaccounted and not self.accounted.get("open")


def other_repository(read: str, configured: str, section: str) -> str:
    """What to say when what was read and what is configured are two repositories."""
    return (
        f"the windows in this state folder were read from {read}, and {section}.repo is {configured}: "
        f"give each repository a folder of its own (ALIGNBOT_STATE), or set {section}.repo back"
    )


class Reading(Value):
    """A window as far as it has been read."""

    window: Window
    upstream: str = ""
    """`owner/name` that it was read from."""
    target: str = ""
    """`owner/name` whose head was frozen with it."""
    heads: FrozenHeads
    opened_at: UtcTime
    state: ReadingState = ReadingState.OPEN
    why: str = ""
    """Why it is open, in a sentence; empty when closed."""
    counts: dict[str, int] = Field(default_factory=dict)
    """Items of the window by kind: `issue`, `pull`, `commit`; and `landed`, those that reached the default branch."""
    proof: Proof | None = None
    closed_at: UtcTime | None = None

    @model_validator(mode="after")
    def _closed_for_good(self) -> Self:
        closed = self.state is ReadingState.CLOSED
        if closed != (self.closed_at is not None):
            raise ValueError("a closed reading says when it was closed, an open one has no such time")
        if closed and self.why:
            raise ValueError(f"a closed reading has no reason to be open: {self.why}")
        if closed and self.proof is not None and not self.proof.whole:
            raise ValueError("a reading whose proof is not whole stays open")
        return self
