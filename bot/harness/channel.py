"""The way out: one JSON object a line on an inherited descriptor, written at once, so that a crash loses nothing."""

import json
import math
import os
from typing import Any, Protocol


def plain(content: Any) -> Any:
    """What JSON and UTF-8 can hold: NaN and infinities as JavaScript names them, lone surrogates as an escape."""
    if isinstance(content, float) and not math.isfinite(content):
        return "NaN" if math.isnan(content) else "Infinity" if content > 0 else "-Infinity"
    if isinstance(content, str):
        return content.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(content, dict):
        return {name: plain(part) for name, part in content.items()}
    if isinstance(content, list | tuple):
        return [plain(part) for part in content]
    return content


class Outlet(Protocol):
    """Where events go."""

    def emit(self, event: str, **fields: Any) -> None:
        """Take one event."""


class Channel:
    """Writes events to a pipe, as long as the descriptor is that pipe: a script may close it and open a file."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._pipe = self._identity()
        os.set_inheritable(descriptor, False)

    def emit(self, event: str, **fields: Any) -> None:
        """Write one event whole. Raises OSError when the reader or the pipe has gone."""
        line = json.dumps({"event": event, **plain(fields)}, allow_nan=False, ensure_ascii=True) + "\n"
        if self._identity() != self._pipe:
            raise OSError("the script took the channel's descriptor")
        rest = line.encode("ascii")
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]

    def close(self) -> None:
        """Give the descriptor up in this process, which is not to write to it."""
        os.close(self._descriptor)

    def _identity(self) -> tuple[int, int]:
        found = os.fstat(self._descriptor)
        return found.st_dev, found.st_ino
