"""NaN is looked for where only a comparison stood: it is passed on and not dropped."""

import re
from collections.abc import Iterable

from bot.cpp.edited import Edited
from bot.model import ChangeKind, UpstreamChange

ASKS = re.compile(r"_?is_?nan\w*|propagate_?nan\w*", re.I)


def rule(edited: Edited) -> Iterable[UpstreamChange]:
    """One change for the first question for NaN that only the new side has, where the old side has none."""
    if any(ASKS.fullmatch(one.name) for one in edited.old.calls):
        return
    call = next((one for one in edited.called() if ASKS.fullmatch(one.name)), None)
    if call is not None:
        yield UpstreamChange(
            kind=ChangeKind.NAN_KEPT,
            rule="nan-handling",
            path=edited.path,
            line=edited.line(call.line),
            symbol=edited.heading,
            names=(call.name,),
            after=" ".join(edited.new.text(call.node).split()),
        )
