"""A count, a stride or an index of 32 bits is kept in 64, or a product is made in 64."""

from collections.abc import Iterable

from bot.cpp.bits import of_type
from bot.cpp.edited import Edited
from bot.model import ChangeKind, UpstreamChange

CASTS = frozenset({"static_cast"})
WIDE = frozenset({"int64_t", "index_t", "size_t", "uint64_t", "long long"})


def rule(edited: Edited) -> Iterable[UpstreamChange]:
    """One change for all names that grew to 64 bits, else for the first cast to 64 bits that is new."""
    grown = [
        (before, after)
        for before, after in edited.declared()
        if of_type(before.type, before.scope) == 32 and (of_type(after.type, after.scope) == 64 or after.type in WIDE)
    ]
    if grown:
        yield _change(edited, grown[0][1].line, tuple(one.name for _, one in grown), grown[0][0].type, grown[0][1].type)
        return
    cast = next((one for one in edited.called() if one.name in CASTS and WIDE & set(one.templates)), None)
    if cast is not None and cast.arguments is not None:
        text = edited.new.text(cast.node)
        yield _change(edited, cast.line, (edited.new.text(cast.arguments).strip("()"),), "", text)


def _change(edited: Edited, line: int, names: tuple[str, ...], before: str, after: str) -> UpstreamChange:
    return UpstreamChange(
        kind=ChangeKind.WIDENED_INDEX,
        rule="int32-index",
        path=edited.path,
        line=edited.line(line),
        symbol=edited.heading,
        names=names,
        before=before,
        after=after,
    )
