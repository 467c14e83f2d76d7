"""The CUDA counterpart says that it is not deterministic and this one, which adds in any order too, does not.

Whoever asked torch for deterministic algorithms gets results that differ from run to run, without a word.
"""

import re
from collections.abc import Iterable

from bot.model import Hit, HostPair

FLAG = "alertNotDeterministic"
ASKED = "deterministicAlgorithms"
"""Who asks for the setting has another way for it."""
ATOMIC = re.compile(r"(?:gpu|fast)?[aA]tomic\w*$|safe_add|add_value_bounded")
"""Names of what adds in the order in which threads come."""


def rule(pair: HostPair) -> Iterable[Hit]:
    """One hit for a host function that comes to atomics and never to the flag."""
    adds = sorted(filter(ATOMIC.match, pair.target.names), key=str.lower)
    if FLAG in pair.upstream.names and not {FLAG, ASKED} & pair.target.names and adds:
        side = pair.upstream
        yield Hit(
            symbol=pair.target.unit,
            line=pair.target.line,
            end_line=pair.target.end_line,
            why=f"{side.unit} ({side.path}:{side.line}) calls {FLAG}, this one does not and comes to {adds[0]}",
        )
