"""The dispatch leaves out element types that the CUDA counterpart has: the operator fails there with "not implemented"."""

from collections.abc import Iterable

from bot.model import Hit, HostPair

FEWEST = 1


def rule(pair: HostPair) -> Iterable[Hit]:
    """One hit for a host function whose dispatches together lack types that those of its counterpart have."""
    here, there = pair.target.dtypes, pair.upstream.dtypes
    lacking = sorted(there - here)
    if len(here) > FEWEST and lacking:
        side = pair.upstream
        yield Hit(
            symbol=pair.target.unit,
            line=pair.target.line,
            end_line=pair.target.end_line,
            why=f"{', '.join(lacking)} missing from the dispatch; {side.unit} ({side.path}:{side.line}) has it",
        )
