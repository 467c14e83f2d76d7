"""The CUDA counterpart looks for NaN where it compares, this one compares without: NaN is dropped instead of passed on."""

import re
from collections.abc import Iterable

from bot.model import Hit, HostPair

ASKS = re.compile(r"is_?nan|NanMask|propagate_?nan", re.I)
COMPARES = re.compile(r"max|min(?!us|i)|clamp|median|mode_|kth|argm", re.I)
"""Operators that compare; whether the order that a sort or a search keeps has a place for NaN is another question."""


def rule(pair: HostPair) -> Iterable[Hit]:
    """One hit for a host function that compares by its name and never comes to a question for NaN."""
    asked = sorted(name for name in pair.upstream.names if ASKS.search(name))
    if asked and COMPARES.search(pair.target.unit) and not any(ASKS.search(name) for name in pair.target.names):
        side = pair.upstream
        yield Hit(
            symbol=pair.target.unit,
            line=pair.target.line,
            end_line=pair.target.end_line,
            why=f"{side.unit} ({side.path}:{side.line}) asks {asked[0]} where it compares, this one never does",
        )
