"""When a fault strikes: rules that choose requests and count them."""

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.double.exchange import Answer, Exchange
from tests.double.world import World


@dataclass
class Rule:
    """A fault. `before` runs first and may answer instead of the world; `after` changes the world's answer."""

    name: str
    before: Callable[[Exchange, World], Answer | None] = lambda *_: None
    after: Callable[[Exchange, Answer], Answer] = lambda _, answer: answer
    path: str | None = None
    method: str | None = None
    operation: str | None = None
    where: Callable[[Exchange], bool] | None = None
    nth: int = 1
    times: int | None = 1
    seen: int = field(default=0, init=False)
    applied: int = field(default=0, init=False)

    def applies(self, exchange: Exchange) -> bool:
        """Whether a request is one to hit; counts it."""
        if not (
            (self.path is None or re.search(self.path, exchange.path) is not None)
            and self.method in {None, exchange.method}
            and self.operation in {None, exchange.operation}
            and (self.where is None or self.where(exchange))
        ):
            return False
        self.seen += 1
        hit = self.seen >= self.nth and (self.times is None or self.seen < self.nth + self.times)
        self.applied += hit
        return hit


class Rules:
    """The faults of a double, in order."""

    def __init__(self) -> None:
        self._rules: list[Rule] = []
        self._lock = threading.Lock()

    def add(self, *rules: Rule) -> None:
        """Further rules, after those that are there."""
        with self._lock:
            self._rules.extend(rules)

    def clear(self) -> None:
        """Nothing goes wrong any more."""
        with self._lock:
            self._rules.clear()

    def applying(self, exchange: Exchange) -> list[Rule]:
        """Those that hit a request."""
        with self._lock:
            return [rule for rule in self._rules if rule.applies(exchange)]
