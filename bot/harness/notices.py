"""Which operators fell back to the CPU: torch says so in a warning, if it is asked to.

The target's environment asks for it, so the notice is the observer's, not the script's: it is taken out of the stream
of warnings before filters, handlers and recorders of the script see it.
"""

import re
import warnings
from typing import Any


class Notices:
    """Takes the warnings that match a pattern with a group `op`; without a pattern it does nothing."""

    def __init__(self, pattern: str | None) -> None:
        self.fell_back: set[str] = set()
        """Names as torch gives them, `aten::op.overload`."""
        self._pattern = re.compile(pattern) if pattern else None
        self._filter: Any = ("always", self._pattern, Warning, None, 0)
        if self._pattern:
            self._next: Any = getattr(warnings, "_showwarnmsg")  # noqa: B009  what C and Python both call in the end
            setattr(warnings, "_showwarnmsg", self._show)  # noqa: B010

    def listen(self) -> None:
        """Called before every call: the script may have put filters of its own in front."""
        if self._pattern and self._filter not in warnings.filters[:2]:
            filters: Any = warnings.filters
            filters.insert(0, self._filter)

    def _show(self, message: Any) -> None:
        match = self._pattern.search(str(message.message)) if self._pattern else None
        if match:
            self.fell_back.add(match["op"])
        else:
            self._next(message)
