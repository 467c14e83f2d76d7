"""The way out: one JSON object a line on an inherited descriptor, written at once, so that a crash loses nothing."""

import json
import math
import os
from typing import Any


def plain(content: Any) -> Any:
    """JSON has no NaN and no infinities: they become the strings `nan`, `inf` and `-inf`."""
    if isinstance(content, float) and not math.isfinite(content):
        return str(content)
    if isinstance(content, dict):
        return {name: plain(part) for name, part in content.items()}
    if isinstance(content, list | tuple):
        return [plain(part) for part in content]
    return content


class Channel:
    """Writes events to a pipe."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def emit(self, event: str, **fields: Any) -> None:
        """Write one event whole. Raises OSError when the reader has gone."""
        line = json.dumps({"event": event, **plain(fields)}, allow_nan=False, ensure_ascii=True) + "\n"
        rest = line.encode("ascii")
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
