"""Arguments are refused that were taken before."""

import re
from collections.abc import Iterable

from bot.cpp.edited import Edited
from bot.model import ChangeKind, UpstreamChange

CHECK = re.compile(r"TORCH_CHECK\w*|AT_ASSERT\w*|check[A-Z]\w*|TORCH_INTERNAL_ASSERT\w*")
OFTEN_REWRITTEN = re.compile(r"TORCH_CHECK\w*")


def rule(edited: Edited) -> Iterable[UpstreamChange]:
    """One change for each check that only the new side has; one whose message was rewritten is none."""
    before = {_condition(edited, one.node, old=True) for one in edited.old.calls if CHECK.fullmatch(one.name)}
    for call in edited.called():
        condition = _condition(edited, call.node, old=False)
        if CHECK.fullmatch(call.name) and condition and condition not in before:
            yield UpstreamChange(
                kind=ChangeKind.ADDED_CHECK,
                rule="missing-check",
                path=edited.path,
                line=edited.line(call.line),
                symbol=edited.heading,
                names=(call.name, condition),
                after=" ".join(edited.new.text(call.node).split()),
            )


def _condition(edited: Edited, node, *, old: bool) -> str:  # type: ignore[no-untyped-def]
    """A check's first argument."""
    source = edited.old if old else edited.new
    arguments = node.child_by_field_name("arguments")
    given = [one for one in arguments.named_children if one.type != "comment"] if arguments is not None else []
    return " ".join(source.text(given[0]).split()) if given else ""
