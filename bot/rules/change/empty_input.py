"""Empty input is asked for before anything is launched."""

from collections.abc import Iterable

from bot.cpp.collect import EMPTY
from bot.cpp.edited import Edited
from bot.model import ChangeKind, UpstreamChange


def rule(edited: Edited) -> Iterable[UpstreamChange]:
    """One change for the first such question that only the new side has."""
    found = next(((text, line) for text, line in edited.asked() if EMPTY.search(text)), None)
    if found:
        yield UpstreamChange(
            kind=ChangeKind.EMPTY_INPUT,
            rule="empty-input",
            path=edited.path,
            line=edited.line(found[1]),
            symbol=edited.heading,
            after=" ".join(found[0].split()),
        )
