"""Rate limits: what each token has spent of each resource since its window began, on the world's clock."""

import threading
from dataclasses import dataclass
from datetime import datetime, timedelta

WINDOW_S = {"search": 60}
HOUR_S = 3600


@dataclass(frozen=True)
class Budget:
    """A resource of a token as its headers and `rateLimit` tell it."""

    resource: str
    limit: int
    used: int
    resets_at: datetime

    @property
    def remaining(self) -> int:
        """What is left; never below zero."""
        return max(0, self.limit - self.used)

    def headers(self) -> dict[str, str]:
        """The five headers of an answer."""
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": str(int(self.resets_at.timestamp())),
            "X-RateLimit-Used": str(self.used),
            "X-RateLimit-Resource": self.resource,
        }


class Spending:
    """Counts for all tokens."""

    def __init__(self, limits: dict[str, int]) -> None:
        self._limits = limits
        self._spent: dict[tuple[str, str], tuple[datetime, int]] = {}
        self._lock = threading.Lock()

    def look(self, who: str, resource: str, now: datetime) -> Budget:
        """Without spending."""
        return self.spend(who, resource, 0, now)[0]

    def spend(self, who: str, resource: str, points: int, now: datetime) -> tuple[Budget, bool]:
        """Take points off, unless fewer are left: then nothing is taken and the second value is False."""
        length = timedelta(seconds=WINDOW_S.get(resource, HOUR_S))
        with self._lock:
            resets_at, used = self._spent.get((who, resource), (now + length, 0))
            if now >= resets_at:
                resets_at, used = now + length, 0
            granted = used + points <= self._limits[resource]
            if granted:
                used += points
            self._spent[who, resource] = (resets_at, used)
            return Budget(resource, self._limits[resource], used, resets_at), granted
