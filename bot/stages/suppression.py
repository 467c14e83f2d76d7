"""suppression: does an item of the tracker that is about the very defect still stand for it?

An open one does, and one that maintainers don't want to hear of. One that was closed as fixed does only as long as no
newer build shows the fault: trackers that were closed must not hide a fault for ever.
"""

import re
from datetime import date, datetime

from bot.model import ItemKind, ItemState, Recurrence, Skips, StateReason, Suppress, TrackedItem

BLANKS = re.compile(r"[\s_-]+")
NEWER_BUILD_DAYS = 7
"""Until a run that may have been too old for a fix is made again."""
OTHERS_FATE_DAYS = 30
NONE = Skips()


def suppression(tracked: TrackedItem, evidence_build_day: date | None, skips: Skips = NONE) -> Suppress | Recurrence:
    """What the item means for a fault that a build of that day shows; None: the run doesn't tell its build."""
    name = named(tracked)
    skipped = skip(tracked, skips)
    if skipped:
        return Suppress(reason=f"{name} {skipped}")
    if tracked.state is ItemState.OPEN:
        return Suppress(reason=f"{name} is open", look_again_days=OTHERS_FATE_DAYS)
    if tracked.state_reason is StateReason.DUPLICATE:
        return Suppress(reason=f"{name} was closed as a duplicate", look_again_days=OTHERS_FATE_DAYS)
    if tracked.kind is ItemKind.PULL and fixed_at(tracked) is None:
        return Recurrence(reason=f"{name} was closed and not merged: it fixed nothing")
    return _fixed(name, fixed_at(tracked), evidence_build_day)


def skip(tracked: TrackedItem, skips: Skips) -> str:
    """Why nobody wants to hear of it again, in words that follow its name; empty where that isn't so."""
    if tracked.number in skips.numbers:
        return "is muted by the configuration"
    unwanted = {_plain(label) for label in skips.labels}
    label = next((label for label in tracked.labels if _plain(label) in unwanted), None)
    if label is not None:
        return f"has the label {label}"
    return "was closed as not planned" if tracked.state_reason is StateReason.NOT_PLANNED else ""


def fixed_at(tracked: TrackedItem) -> datetime | None:
    """When it was closed, of a pull request when it was merged; None where neither is known."""
    if tracked.kind is ItemKind.PULL:
        merged = tracked.state is ItemState.MERGED
        return tracked.merged_at or (tracked.closed_at if merged else None)
    return tracked.closed_at


def named(tracked: TrackedItem) -> str:
    """`issue #7`, `pull request #8`."""
    return f"{'pull request' if tracked.kind is ItemKind.PULL else 'issue'} #{tracked.number}"


def _fixed(name: str, fixed: datetime | None, built: date | None) -> Suppress | Recurrence:
    if fixed is None:
        return Suppress(reason=f"{name} is closed, and when is not known", look_again_days=OTHERS_FATE_DAYS)
    day = fixed.date()
    if built is not None and built > day:
        return Recurrence(reason=f"{name} was closed as fixed on {day}, and a build of {built} shows the fault")
    told = f"this one is of {built}" if built else "of this run it is not known"
    reason = f"{name} was closed as fixed on {day}: only a build after that can tell, and {told}"
    return Suppress(reason=reason, look_again_days=NEWER_BUILD_DAYS)


def _plain(label: str) -> str:
    return BLANKS.sub("_", label.strip().lower())
