"""An output that was only allocated is filled: what no thread writes is no longer whatever was in memory."""

import re
from collections.abc import Iterable

from bot.cpp.edited import Edited
from bot.model import ChangeKind, UpstreamChange

EMPTY = re.compile(r"\b(?:new_)?empty(?:_like)?\b")
FILLS = re.compile(r"(?:new_)?(?:zeros|full|ones)(?:_like)?|zero_|fill_")


def rule(edited: Edited) -> Iterable[UpstreamChange]:
    """One change for the first filling that only the new side has, where a bare allocation stood or stands."""
    allocated = any(EMPTY.search(line) for line in edited.removed) or any(
        EMPTY.fullmatch(one.name) for one in edited.new.calls
    )
    call = next((one for one in edited.called() if FILLS.fullmatch(one.name)), None)
    if allocated and call is not None:
        yield UpstreamChange(
            kind=ChangeKind.INITIALISED_OUTPUT,
            rule="uninitialised-output",
            path=edited.path,
            line=edited.line(call.line),
            symbol=edited.heading,
            after=" ".join(edited.new.text(call.node).split()),
        )
