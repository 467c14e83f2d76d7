"""A value that was used to address memory is compared with a bound first."""

import re
from collections.abc import Iterable

from bot.cpp.edited import Edited
from bot.model import ChangeKind, UpstreamChange

ASSERTS = re.compile(r"(?:CUDA|SYCL)_KERNEL_ASSERT\w*")
BOUND = re.compile(
    r"\b\w*(?:idx|index|indices|target|label|offset|ind|row|col|cls|class)\w*\b(?:\[[^\]]*\])?\s*(?:<|>=)"
)


def rule(edited: Edited) -> Iterable[UpstreamChange]:
    """One change for the first such assertion, or comparison of an index, that only the new side has."""
    asserted = next(((one.node, one.line) for one in edited.called() if ASSERTS.fullmatch(one.name)), None)
    text, line = (edited.new.text(asserted[0]), asserted[1]) if asserted else ("", 0)
    if not text:
        text, line = next(((told, at) for told, at in edited.asked() if BOUND.search(told)), ("", 0))
    if text:
        yield UpstreamChange(
            kind=ChangeKind.BOUNDS_GUARD,
            rule="unguarded-index",
            path=edited.path,
            line=edited.line(line),
            symbol=edited.heading,
            names=tuple(dict.fromkeys(re.findall(r"[A-Za-z_]\w*", text)))[:6],
            after=" ".join(text.split()),
        )
