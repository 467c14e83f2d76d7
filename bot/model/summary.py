"""A scanned window in a line: what was read, and where its cases stand."""

from bot.model.base import Value
from bot.model.upstream import FrozenHeads, Window
from bot.model.words import OutcomeKind


class WindowSummary(Value):
    """One window on one device, counted."""

    window: Window
    device: str
    heads: FrozenHeads
    items: int
    """Upstream items read."""
    cases: int
    """Chains that the items made; one case each."""
    outcomes: dict[OutcomeKind, int]
    """Cases by outcome; an outcome that no case has may be missing."""
    state: str
    """Of the scan, in a word that a maintainer can read."""
