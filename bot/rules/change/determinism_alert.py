"""Whoever asked for deterministic algorithms is told that this is none."""

from collections.abc import Iterable

from bot.cpp.edited import Edited
from bot.model import ChangeKind, UpstreamChange


def rule(edited: Edited) -> Iterable[UpstreamChange]:
    """One change for an `alertNotDeterministic` that only the new side has."""
    call = next((one for one in edited.called() if one.name == "alertNotDeterministic"), None)
    if call is not None:
        yield UpstreamChange(
            kind=ChangeKind.DETERMINISM_ALERT,
            rule="nondeterminism-unflagged",
            path=edited.path,
            line=edited.line(call.line),
            symbol=edited.heading,
            after=" ".join(edited.new.text(call.node).split()),
        )
