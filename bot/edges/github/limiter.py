"""One gate for every request to GitHub: it knows what is left, waits for short, and says until when for long.

GitHub keeps a budget for each resource (`core`, `graphql`, `search`), asks now and then to leave it alone altogether
(secondary limits), and wants a second between two writes. Its clock rules all of that: ours may be wrong, so the
`Date` of each answer corrects it.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.edges.github.answers import lowered
from bot.edges.github.limits import Refusal, http_date, reset
from bot.errors import InputError, LimitedError
from bot.model import rfc3339
from bot.seams import Clock

BETWEEN_WRITES = timedelta(seconds=1)
UNNAMED = timedelta(seconds=60)
"""How long to wait when GitHub does not say; twice as long each time that it refuses again."""
LONGEST_UNNAMED = timedelta(hours=1)
SECOND = timedelta(seconds=1)
ALL = "every resource"


@dataclass(frozen=True, slots=True)
class Budget:
    """What is left of a resource: requests, or points of `graphql`."""

    limit: int
    remaining: int
    resets_at: datetime


@dataclass(frozen=True, slots=True)
class Spent:
    """What was asked of a resource so far."""

    requests: int = 0
    points: int = 0


class Limiter:
    """Asked before each request and told of each answer. Any number of threads may share one."""

    def __init__(
        self,
        clock: Clock,
        sleep: Callable[[float], None] = time.sleep,
        max_wait: timedelta = timedelta(minutes=2),
    ) -> None:
        self.clock = clock
        self._sleep = sleep
        self._max_wait = max_wait
        self._lock = threading.Lock()
        self._skew = timedelta(0)
        self._budgets: dict[str, Budget] = {}
        self._closed: dict[str, datetime] = {}
        self._next_write = datetime.fromtimestamp(0, UTC)  # long ago, and no edge of the calendar: it is added to
        self._unnamed = 0
        self._spent: dict[str, Spent] = {}

    def now(self) -> datetime:
        """GitHub's time, UTC, as well as it is known."""
        return self.clock.now() + self._skew

    def admit(self, resource: str, *, write: bool = False) -> None:
        """Wait until a request may be sent, and count it. Raises LimitedError when that takes longer than may be."""
        waited = timedelta(0)
        while True:
            with self._lock:
                now = self.now()
                until, why = self._opens(resource, now, write=write)
                if until <= now:
                    self._count(resource, now, write=write)
                    return
            waited += self._wait(until, now, why, waited)

    def wrote(self) -> None:
        """A write has ended, well or badly: the next one waits from here."""
        with self._lock:
            self._next_write = self.clock.now() + BETWEEN_WRITES

    def learn(self, resource: str, headers: Mapping[str, str]) -> None:
        """Take GitHub's clock and the budget from an answer's headers; what is missing or no number changes nothing."""
        heads = lowered(headers)
        with self._lock:
            theirs = http_date(heads.get("date", ""))
            if theirs and "age" not in heads:
                self._skew = theirs - self.clock.now()
            resets_at = reset(heads, self.now())
            if resets_at is None:
                return
            try:
                limit, left = (int(float(heads[f"x-ratelimit-{name}"])) for name in ("limit", "remaining"))
            except (KeyError, ValueError, OverflowError):
                return
            self._budgets[heads.get("x-ratelimit-resource", resource)] = Budget(limit, left, resets_at)

    def learn_points(self, cost: int, remaining: int, reset_at: datetime) -> None:
        """Take what a GraphQL answer says in `rateLimit`."""
        with self._lock:
            known, spent = self._budgets.get("graphql"), self._spent.get("graphql", Spent())
            limit = max(known.limit if known else 0, remaining)
            self._budgets["graphql"] = Budget(limit, remaining, reset_at)
            self._spent["graphql"] = replace(spent, points=spent.points + cost)

    def learn_overview(self, resources: Mapping[str, Any]) -> None:
        """Take `resources` of `GET /rate_limit`."""
        for resource, told in resources.items():
            if isinstance(told, dict):
                self.learn(resource, {f"x-ratelimit-{name}": str(told.get(name)) for name in told})

    def refused(self, resource: str, refusal: Refusal) -> datetime:
        """GitHub asked to wait; returns until when, UTC."""
        with self._lock:
            until = refusal.until
            if until is None:
                until = self.now() + min(UNNAMED * 2 ** min(self._unnamed, 10), LONGEST_UNNAMED)
                self._unnamed += 1
            closed = resource if refusal.kind == "primary" else ALL
            self._closed[closed] = max(until, self._closed.get(closed, until))
            return self._closed[closed]

    def accepted(self) -> None:
        """GitHub carried a request out: the next refusal without a time is a first one again."""
        with self._lock:
            self._unnamed = 0

    def require(self, resource: str, amount: int) -> None:
        """Make sure that so much is left before something long is begun; what GitHub never told is taken to be enough.

        Raises InputError when it is more than GitHub ever gives at once, LimitedError when too little is left.
        """
        with self._lock:
            now, budget = self.now(), self._budgets.get(resource)
        if budget is None or budget.resets_at < now:
            return
        words = f"{amount} {'points' if resource == 'graphql' else 'requests'} of GitHub's {resource} budget"
        if amount > budget.limit:
            raise InputError(f"this needs {words}, which gives {budget.limit} at a time: choose a shorter window")
        if amount > budget.remaining:
            self._wait(budget.resets_at + SECOND, now, f"this needs {words}, {budget.remaining} are left", timedelta(0))

    def left(self, resource: str) -> int | None:
        """What is left of a resource, None when GitHub did not say."""
        with self._lock:
            budget = self._budgets.get(resource)
            return None if budget is None else budget.limit if budget.resets_at < self.now() else budget.remaining

    @property
    def spent(self) -> dict[str, Spent]:
        """What was asked so far, by resource."""
        with self._lock:
            return dict(self._spent)

    def _opens(self, resource: str, now: datetime, *, write: bool) -> tuple[datetime, str]:
        """When such a request may be sent, and what it waits for."""
        budget = self._budgets.get(resource)
        spent = budget.resets_at + SECOND if budget and budget.remaining <= 0 else now
        waits = [
            (now, ""),
            (spent, f"GitHub's {resource} budget is spent"),
            (self._closed.get(resource, now), f"GitHub's {resource} limit is reached"),
            (self._closed.get(ALL, now), "GitHub asks to be left alone for a while"),
        ]
        if write:  # by our clock: each answer moves GitHub's by up to a second. Never longer, if ours was set back.
            self._next_write = min(self._next_write, self.clock.now() + BETWEEN_WRITES)
            waits.append((now + (self._next_write - self.clock.now()), "a second passes between writes"))
        return max(waits, key=lambda one: one[0])

    def _count(self, resource: str, now: datetime, *, write: bool) -> None:
        spent, budget = self._spent.get(resource, Spent()), self._budgets.get(resource)
        self._spent[resource] = replace(spent, requests=spent.requests + 1)
        if budget:
            if budget.resets_at < now:
                del self._budgets[resource]
            else:
                self._budgets[resource] = replace(budget, remaining=budget.remaining - 1)
        if write:
            self._next_write = self.clock.now() + BETWEEN_WRITES

    def _wait(self, until: datetime, now: datetime, why: str, waited: timedelta) -> timedelta:
        """Sleep until then; returns how long that was. Raises LimitedError when it is too long with what was waited."""
        wait = until - now
        if waited + wait > self._max_wait:
            when = rfc3339(until.replace(microsecond=0) + SECOND)
            raise LimitedError(f"{why}: it may be asked again at {when}", until)
        self._sleep(wait.total_seconds())
        return wait
