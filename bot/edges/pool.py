"""The machine's cores: one function over many things, each in a process of its own."""

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

One = TypeVar("One")
Answer = TypeVar("Answer")
FEWEST = 24
"""Things below which a process costs more than it saves."""
MOST = 8
CHUNK = 4
"""Things that a process takes at a time: few, for the largest come first."""


def spread(function: Callable[[One], Answer], things: Sequence[One]) -> list[Answer]:
    """The answers, in the order of the things. What the function raises is raised here."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if len(things) < FEWEST or cores < 2:
        return [function(one) for one in things]
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 -- who needs none shouldn't wait for it

    workers = min(cores, MOST)
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(function, things, chunksize=CHUNK))
