"""The world's own time, so that limits reset, tokens expire and clocks disagree without waiting."""

import threading
from datetime import UTC, datetime, timedelta


class Clock:
    """Stands still at a moment until it is moved; with none it is the machine's clock, and can be moved too."""

    def __init__(self, moment: datetime | None = None) -> None:
        self._moment = moment
        self._ahead = timedelta()
        self._lock = threading.Lock()

    def now(self) -> datetime:
        """The moment, UTC, whole seconds."""
        with self._lock:
            moment = datetime.now(UTC) if self._moment is None else self._moment
            return (moment + self._ahead).replace(microsecond=0)

    def set(self, moment: datetime) -> None:
        """Stand still at this moment from now on."""
        with self._lock:
            self._moment, self._ahead = moment, timedelta()

    def advance(self, seconds: float) -> None:
        """Move forward (or back)."""
        with self._lock:
            self._ahead += timedelta(seconds=seconds)
