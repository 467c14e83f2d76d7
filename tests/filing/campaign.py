"""Injected faults by the hundred, and what must hold whatever happens: see `laws`.

A round is a world of its own with a few approved findings. Turn by turn the filer is killed at a named point, or the
tracker fails it in one of its ways; then turns without faults follow until nothing moves any more.
"""

import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.model import IntentState
from tests.double import Double, Repository, faults
from tests.double.rules import Rule
from tests.filing.desk import NOON, fingerprint, marks, outbox_at, world
from tests.filing.filer import POINTS, Filer, filing

CAPS = {"per_window": 1_000, "per_hour": 3, "per_day": 6, "per_week": 15}
TIMEOUT_S = 0.5
POST = {"method": "POST", "path": "/issues$"}
LIST = {"method": "GET", "path": "/issues$"}
NUDGE = timedelta(minutes=6)
"""Between turns: a lease of a killed one has ended, and another look is due."""

AFTER_COMMIT: dict[str, Callable[[], Rule]] = {
    "502": lambda: faults.afterwards(faults.bad_gateway(**POST)),
    "500 three times": lambda: faults.afterwards(faults.server_error(**POST, times=3)),
    "503 with Retry-After": lambda: faults.afterwards(faults.unavailable(30, **POST)),
    "RST": lambda: faults.reset_after(**POST),
    "FIN": lambda: faults.end_after(**POST),
    "read timeout": lambda: faults.delay(TIMEOUT_S * 3, **POST),
    "truncated 201": lambda: faults.cut(**POST),
    "half a JSON": lambda: faults.cut_json(**POST),
    "200 HTML": lambda: faults.afterwards(faults.html(**POST)),
    "200 empty": lambda: faults.afterwards(faults.empty(**POST)),
    "404 HTML": lambda: faults.afterwards(faults.html(404, **POST)),
    "307": lambda: faults.afterwards(faults.status(307, "Temporary Redirect", {"Location": "/elsewhere"}, **POST)),
    "408": lambda: faults.afterwards(faults.status(408, "Request Timeout", **POST)),
    "slow drip": lambda: faults.drip(TIMEOUT_S / 2, 50, **POST),
}
"""The issue is there, and the filer is told otherwise or nothing."""

BEFORE_COMMIT: dict[str, Callable[[], Rule]] = {
    "502 before": lambda: faults.bad_gateway(**POST),
    "RST before": lambda: faults.reset_before(**POST),
    "primary limit": lambda: faults.primary_limit(**POST),
    "secondary limit": lambda: faults.secondary_limit(60, **POST),
    "429": lambda: faults.too_many(**POST),
}
"""Nothing was done."""

WHILE_LOOKING: dict[str, Callable[[], Rule]] = {
    "list 502": lambda: faults.bad_gateway(**LIST),
    "list RST": lambda: faults.reset_before(**LIST),
    "list HTML": lambda: faults.html(**LIST),
    "list cut": lambda: faults.cut(**LIST),
    "list limit": lambda: faults.primary_limit(**LIST),
    "list lags": lambda: lagging(),  # noqa: PLW0108  it is defined below
}
"""The look fails, or does not show yet what is there."""


def lagging() -> Rule:
    """One list without its newest entries."""

    def empty(_: Any, answer: Any) -> Any:
        answer.body = b"[]"
        return answer

    return Rule("list lags", after=empty, **LIST)


@dataclass
class Told:
    """What a campaign saw."""

    faults: Counter[str] = field(default_factory=Counter)
    findings: int = 0
    states: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    @property
    def injected(self) -> int:
        """How many faults struck."""
        return sum(self.faults.values())


@dataclass
class Round:
    """One world, one state folder, one filer."""

    double: Double
    repository: Repository
    filer: Filer
    state: Path
    told: Told
    turns: int = 0

    def pass_time(self, span: timedelta = NUDGE) -> None:
        """On the world's clock, which the filer's turns start from."""
        self.double.world.clock.advance(span.total_seconds())

    def turn(self, kill: str | None = None, nth: int = 1, rule: Rule | None = None, name: str = "") -> int:
        """One turn, perhaps with a fault; counted if it struck."""
        self.turns += 1
        self.double.rules.clear()
        if rule is not None:
            self.double.add(rule)
        code = self.filer.run(kill, nth, now=self.double.world.clock.now().isoformat())
        if code == 70:
            self.told.broken.append(f"{kill or name}: the filer itself failed")
        if (kill and code < 0) or (rule is not None and rule.applied):
            self.told.faults[kill or name or (rule.name if rule else "")] += 1
        self.check(kill or name)
        self.pass_time()
        return code

    def check(self, when: str) -> None:
        """What holds at any time: no finding has two issues, and no hour has more than its cap."""
        for finding, numbers in marks(self.repository).items():
            if len(numbers) > 1:
                self.told.broken.append(f"{when}: {finding} has {len(numbers)} issues")
        times = sorted(each.created_at for each in self.repository.threads.values())
        for name, span in (("hour", 1), ("day", 24), ("week", 168)):
            most = max((sum(at <= each < at + timedelta(hours=span) for each in times) for at in times), default=0)
            if most > CAPS[f"per_{name}"]:
                self.told.broken.append(f"{when}: {most} issues in a {name}")

    def settle(self, count: int) -> None:
        """Turns without faults until nothing moves, then what must hold at the end.

        A turn that ended early counts for nothing: on a busy machine an answer may come too late.
        """
        self.double.rules.clear()
        before, idle = None, 0
        for _ in range(100):
            code = self.filer.run(now=self.double.world.clock.now().isoformat())
            self.check("at the end")
            rows = [one.model_dump_json() for one in outbox_at(self.state).every()]
            idle, before = (idle + 1 if rows == before and code == 0 else 0), rows
            self.pass_time(timedelta(minutes=70))
            if idle == 2:
                break
        self.laws(count)

    def laws(self, count: int) -> None:
        """Exactly one issue for what is done, none for what is not; nothing lost, nothing without its reason."""
        there, rows = marks(self.repository), outbox_at(self.state).every()
        for number in range(count):
            mine = [one for one in rows if one.fingerprint == fingerprint(number)]
            issues = there.get(fingerprint(number), [])
            states = [one.state for one in mine]
            if len(mine) != 1:
                self.told.broken.append(f"{number} has {len(mine)} rows")
            elif states == [IntentState.DONE]:
                if [mine[0].filed.number if mine[0].filed else None] != issues:
                    self.told.broken.append(f"{number} is done as {mine[0].filed}, and there is {issues}")
            elif states == [IntentState.UNKNOWN]:
                if issues or not mine[0].why:
                    self.told.broken.append(f"{number} is unknown ({mine[0].why}), and there is {issues}")
            else:
                self.told.broken.append(f"{number} is {states} in the end: {[one.why for one in mine]}")
            self.told.states.update(str(state) for state in states)
        self.told.findings += count


@contextmanager
def a_round(told: Told, filer: Filer, count: int) -> Iterator[Round]:
    """A world with so many approved findings."""
    made, repository, token = world()
    with tempfile.TemporaryDirectory() as folder, Double(made) as double:
        filer.told = {"state": folder, "api": double.url, "token": token, "caps": CAPS, "timeout_s": TIMEOUT_S}
        filer.told |= {"count": count, "now": NOON.isoformat()}
        yield Round(double, repository, filer, Path(folder), told)


LOST_FIRST = ("find", "doubt")
"""Points that are passed only where something was lost before."""
HELD = ("after take", "before send", "after send", "before post", "after post", "before confirm", "before release")


def killed(told: Told, filer: Filer, point: str) -> None:
    """Killed at a named point."""
    with a_round(told, filer, 1) as one:
        if point.partition(" ")[2] in LOST_FIRST:
            one.turn(rule=BEFORE_COMMIT["RST before"](), name="RST before")
        rule = BEFORE_COMMIT["primary limit"]() if "take_back" in point else None
        assert one.turn(point, rule=rule) < 0, point
        one.settle(1)


def failed(told: Told, filer: Filer, name: str) -> None:
    """Failed by the tracker: while it posts, or while it looks for what was lost."""
    with a_round(told, filer, 1) as one:
        if name in WHILE_LOOKING:
            one.turn(rule=AFTER_COMMIT["RST"](), name="RST")
        one.turn(rule={**AFTER_COMMIT, **BEFORE_COMMIT, **WHILE_LOOKING}[name](), name=name)
        one.settle(1)


def killed_by_the_request(told: Told, filer: Filer, *, committed: bool) -> None:
    """Killed while the tracker has the request: before it is carried out, or between that and the answer."""
    with a_round(told, filer, 1) as one:
        made = faults.done_and_called if committed else faults.mutate
        rule = made(lambda *_: filer.murder(), **POST)
        assert one.turn(rule=rule, name=f"killed {'after' if committed else 'before'} the commit") < 0
        one.settle(1)


def rivals(told: Told, filer: Filer, other: Filer, point: str, *, late: bool) -> None:
    """A second filer while the first one stands at a point; `late`, when its lease has ended, and it goes on after."""
    with a_round(told, filer, 2) as one:
        go = one.state / "go"
        filer.start(point, hold=go)
        while not Path(f"{go}.there").exists():
            time.sleep(0.01)
        other.told = dict(filer.told)
        now = one.double.world.clock.now() + (NUDGE if late else timedelta())
        other.run(now=now.isoformat())
        go.touch()
        assert filer.end() in (0, 3), point
        told.faults[f"two writers, {'late' if late else 'at once'}"] += 1
        one.check(point)
        one.pass_time(2 * NUDGE)
        one.settle(2)


def at_random(told: Told, filer: Filer, seed: int, count: int = 6, turns: int = 12) -> None:
    """Any fault after any other, in one world."""
    chance = random.Random(seed)  # noqa: S311
    with a_round(told, filer, count) as one:
        for _ in range(turns):
            if chance.random() < 0.4:
                one.turn(chance.choice(POINTS), chance.choice((1, 1, 2)))
            else:
                name, made = chance.choice(list({**AFTER_COMMIT, **BEFORE_COMMIT, **WHILE_LOOKING}.items()))
                rule = made()
                rule.nth = chance.choice((1, 1, 1, 2))
                one.turn(rule=rule, name=name)
        one.settle(count)


@contextmanager
def two_filers() -> Iterator[tuple[Filer, Filer]]:
    """For a whole campaign: starting one takes seconds."""
    with filing() as first, filing() as second:
        yield first, second


def every_boundary(told: Told, filer: Filer, other: Filer) -> None:
    """Each named point, each fault, each way to meet another writer, once."""
    for point in POINTS:
        killed(told, filer, point)
    for name in {**AFTER_COMMIT, **BEFORE_COMMIT, **WHILE_LOOKING}:
        failed(told, filer, name)
    for committed in (False, True):
        killed_by_the_request(told, filer, committed=committed)
    for point in HELD:
        for late in (False, True):
            rivals(told, filer, other, point, late=late)
