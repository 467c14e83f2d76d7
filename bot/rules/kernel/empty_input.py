"""The CUDA counterpart asks whether there is any element before it launches, this host function never does.

A launch of no threads is an error of the runtime, and an empty gradient stays as it was allocated.
"""

from collections.abc import Iterable

from bot.model import Hit, HostPair

LAUNCHES = ("sycl_kernel_submit", "parallel_for", "submit")


def rule(pair: HostPair) -> Iterable[Hit]:
    """One hit for a host function that comes to a launch and to no such question."""
    launches = any(name in pair.target.names for name in LAUNCHES)
    if pair.upstream.asks_empty and not pair.target.asks_empty and launches:
        side = pair.upstream
        yield Hit(
            symbol=pair.target.unit,
            line=pair.target.line,
            end_line=pair.target.end_line,
            why=f"{side.unit} ({side.path}:{side.line}) asks for empty input, this one launches its kernel unasked",
        )
