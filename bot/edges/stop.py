"""The switch that stops all writing: a file that anybody can make (`touch STOP`), or a variable."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

from bot.edges.whole import write_whole
from bot.errors import InputError
from bot.model import rfc3339
from bot.seams import Clock

FILE = "STOP"
VARIABLE = "ALIGNBOT_STOP"
LONGEST = 200
"""Characters of a reason that are told."""
GOES_ON = frozenset({"", "0"})
"""Values of the variable that stop nothing."""


class StopSwitch:
    """A Stop: the file in the state folder, and the variable."""

    def __init__(self, state: Path, environ: Mapping[str, str], clock: Clock) -> None:
        self.path = state / FILE
        self._environ = environ
        self._clock = clock

    def why(self) -> str | None:
        """Why nothing may be written now. A file that can't be read, or says nothing that is understood, stops too."""
        if self._environ.get(VARIABLE, "") not in GOES_ON:
            return f"writing is stopped by {VARIABLE}"
        try:
            text = self.path.read_text("utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError):
            return f"writing is stopped: {self.path} is there and can't be read"
        reason, until = _read(text)
        if until is not None and until <= self._clock.now():
            return None
        ends = f", until {rfc3339(until)}" if until else ""
        return f"writing is stopped{ends} by {self.path}{f': {reason}' if reason else ''}"

    def halt(self, reason: str, length: timedelta | None = None) -> None:
        """Stop all writing, for a time or until `resume`. Raises InputError when the file can't be written."""
        until = None if length is None else rfc3339(self._clock.now() + length)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{self.path.parent} can't be made: {error.strerror}; set ALIGNBOT_STATE") from error
        told = {"reason": reason, "since": rfc3339(self._clock.now()), "until": until}
        write_whole(self.path, f"{json.dumps(told)}\n", "the stop file")

    def resume(self) -> str | None:
        """Take the file away; why writing is stopped all the same. Raises InputError when it can't be removed."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise InputError(f"{self.path} can't be removed: {error.strerror}") from error
        return self.why()


def _read(text: str) -> tuple[str, datetime | None]:
    """Reason and end; an end that can't be read is none."""
    try:
        told = json.loads(text)
        until = datetime.fromisoformat(told["until"]) if told["until"] else None
        return _line(str(told["reason"])), until if until is None or until.tzinfo else None
    except (ValueError, TypeError, KeyError):
        return _line(text), None


def _line(text: str) -> str:
    """Anybody may write the file: no more than a line, and nothing that a terminal obeys."""
    return "".join(one if one.isprintable() else "?" for one in " ".join(text.split())[:LONGEST])
