"""A dispatch lets element types through that it left out."""

from collections.abc import Iterable

from bot.cpp import Call, Source
from bot.cpp.edited import Edited
from bot.cpp.macros import dtypes_of
from bot.model import ChangeKind, UpstreamChange

SHOWN = 200


def rule(edited: Edited) -> Iterable[UpstreamChange]:
    """One change for a hunk whose only dispatch has more types on its new side."""
    before = [one for one in edited.old.calls if "DISPATCH" in one.name]
    after = [one for one in edited.new.calls if "DISPATCH" in one.name]
    if len(before) != 1 or len(after) != 1:
        return
    more = sorted(_dtypes(edited.new, after[0]) - _dtypes(edited.old, before[0]))
    if more:
        yield UpstreamChange(
            kind=ChangeKind.MORE_DTYPES,
            rule="dtype-gap",
            path=edited.path,
            line=edited.line(after[0].line),
            symbol=edited.heading,
            names=tuple(more),
            before=before[0].name,
            after=after[0].name,
        )


def _dtypes(source: Source, call: Call) -> set[str]:
    given = call.arguments.named_children if call.arguments else []
    told = " ".join(source.text(one)[:SHOWN] for one in given if one.type not in ("lambda_expression", "comment"))
    return set(dtypes_of(call.name, told))
