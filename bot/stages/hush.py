"""hush: why people want nothing said about a finding now, from what they decided."""

from collections.abc import Sequence
from datetime import datetime

from bot.model import Decision, DecisionKind, Observation, rfc3339

SILENT = frozenset({DecisionKind.REJECT, DecisionKind.DUPLICATE})


def hush(said: Sequence[Decision], now: datetime) -> str:
    """The reason, of the last word that still holds; empty where something may be said. `said` is oldest first.

    A snooze covers what was said before it, and that comes back when it ends.
    """
    words = [one for one in said if one.kind is not DecisionKind.RETEST]
    words = [one for one in words if one.kind is not DecisionKind.SNOOZE or one.until is None or one.until > now]
    last = max(reversed(words), key=lambda one: one.decided_at, default=None)  # of the same time the later one
    if last is None:
        return ""
    if last.kind is DecisionKind.SNOOZE:
        return f"snoozed{f' until {rfc3339(last.until)}' if last.until else ''}: {last.reason}"
    return f"{last.kind.value}: {last.reason}" if last.kind in SILENT else ""


def retest_asked(said: Sequence[Decision], known: Sequence[Observation]) -> datetime | None:
    """When people asked last that it be run again, where no run has met that yet."""
    last = max((one.decided_at for one in said if one.kind is DecisionKind.RETEST), default=None)
    met = last is not None and any(one.answers is not None and one.answers >= last for one in known)
    return None if met else last
