"""Which call is running: a page that the launcher reads when nobody is left to tell.

A crash or a hang leaves no account. The page is memory shared with the launcher; writing to it costs less than a
microsecond and needs no system call. The script can write there too: what it says is confirmed by making the call
again in a clean process, or it counts for nothing.
"""

import mmap
import os
import struct

SIZE = 256
"""Bytes of the page that are used."""
_HEAD = struct.Struct("<BQH")
IDLE, RUNNING, CHECKING = 0, 1, 2
"""Between calls; in a call on the device under test; in the observer's own work on it."""


class Crumb:
    """Says what is being done. Without a descriptor it does nothing."""

    def __init__(self, descriptor: int | None) -> None:
        self._page: mmap.mmap | None = None
        if descriptor is not None:
            self._page = mmap.mmap(descriptor, SIZE)
            os.close(descriptor)
        self._counts: dict[str, int] = {}

    def enter(self, name: str) -> int:
        """A call of `aten::op.overload` begins; the answer is how many there were, this one included."""
        nth = self._counts[name] = self._counts.get(name, 0) + 1
        if self._page is not None:
            text = name.encode("utf-8", "replace")[: SIZE - _HEAD.size]
            self._page[0 : _HEAD.size + len(text)] = _HEAD.pack(RUNNING, nth, len(text)) + text
        return nth

    def state(self, state: int) -> None:
        """The call is over, or is being checked."""
        if self._page is not None:
            self._page[0] = state
