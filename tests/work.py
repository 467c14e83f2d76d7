"""How much work something is, counted and not timed: a machine that is busy elsewhere counts the same."""

import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

HANG_S = 20.0
"""Of this process's own time: no text that any test reads is near it, and an exponential one is beyond it."""


def calls(asked: Callable[[], object], hang_s: float = HANG_S) -> int:
    """How many calls of functions, Python's and built-in ones, `asked` makes.

    What one built-in call does by itself isn't seen (a pattern that backtracks, a list that is copied): that it ends
    within `hang_s` of this process's own time is asserted too, whatever it counts.
    """
    made = 0

    def count(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal made
        made += event in {"call", "c_call"}

    before, began = sys.getprofile(), time.process_time()
    sys.setprofile(count)
    try:
        asked()
    finally:
        sys.setprofile(before)
    took_s = time.process_time() - began
    assert took_s < hang_s, f"{made} calls take {took_s:.0f} s"
    return made
