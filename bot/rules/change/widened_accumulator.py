"""A sum that was kept in the element type is kept in a wider one."""

from collections.abc import Iterable

from bot.cpp import Width, width
from bot.cpp.edited import Edited
from bot.model import ChangeKind, UpstreamChange

WIDER = {Width.ELEMENT, Width.HALF}


def rule(edited: Edited) -> Iterable[UpstreamChange]:
    """One change for all names of the hunk whose type grew from the element's to a wide one."""
    grown = [
        (before, after)
        for before, after in edited.declared()
        if width(before.type, before.scope).width in WIDER and width(after.type, after.scope).width is Width.WIDE
    ]
    if grown:
        first = min((after for _, after in grown), key=lambda one: one.line)
        yield UpstreamChange(
            kind=ChangeKind.WIDENED_ACCUMULATOR,
            rule="narrow-accumulator",
            path=edited.path,
            line=edited.line(first.line),
            symbol=edited.heading,
            names=tuple(after.name for _, after in grown),
            before=grown[0][0].type,
            after=grown[0][1].type,
        )
