"""The line: one table of stages, one function that follows a case along it, saving after each.

A filled field is never redone, so a killed scan goes on where it stopped. What the world refuses (EdgeError) holds
one case; what we did wrong (any other error) drops one case. Neither stops the others.
"""

import hashlib
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from jinja2 import Environment

from bot.model import (
    Absent,
    Case,
    Draft,
    Drop,
    Finding,
    Hold,
    Item,
    Job,
    Judgement,
    Outcome,
    OutcomeKind,
    Port,
    Reproducer,
    Ruling,
    RunEvidence,
    Target,
    Value,
    Window,
)
from bot.registry import Rule
from bot.seams import Clock, EdgeError, Executor, InputError, Progress, Source, Store
from bot.stages.chain import leader, linked
from bot.stages.classify import classify
from bot.stages.extract import extract_item, runnable
from bot.stages.find import find
from bot.stages.judge import judge
from bot.stages.port import PortError, port
from bot.stages.render import render

LOOK_AGAIN_FOR_CODE_DAYS = 7
"""A thread without a runnable script often gets one from a maintainer within days."""


@dataclass(frozen=True, slots=True)
class Line:
    """What the stages need from outside, chosen once in `wire`."""

    target: Target
    executor: Executor
    store: Store
    clock: Clock
    templates: Environment
    classify_rules: Sequence[Rule]
    extract_rules: Sequence[Rule]
    port_rules: Sequence[Rule]
    repeats: int
    timeout_s: float
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Scan:
    """A scan's result: every case of the window, each with its outcome, and a ruling for each item."""

    window: Window
    cases: tuple[Case, ...]
    rulings: tuple[Ruling, ...]

    @property
    def held(self) -> bool:
        """Does any case wait for the world?"""
        return any(case.outcome and case.outcome.kind is OutcomeKind.HELD for case in self.cases)


Answer = Value | Absent | Drop | Hold
Stage = tuple[str, str, Callable[[Case, Line], Answer]]


def scan(source: Source, window: Window, line: Line, progress: Progress) -> Scan:
    """Read a window, classify it whole, and follow every case to its outcome.

    Raises InputError before anything is saved when the source can't be read or nothing could be run.
    """
    heads = source.heads()
    items = list(source.items())
    rulings = classify(items, line.classify_rules)
    device = line.target.name
    fresh = [
        opened(
            Case(
                window=window,
                heads=heads,
                device=device,
                items=group,
                ruling=_chief_ruling(group, rulings, items),
                linked=linked(group, items),
            )
        )
        for group in _groups(items, rulings)
    ]
    resumed = [(_resumed(case, line), case) for case in fresh]
    if any(case.outcome is None and case.evidence is None for case, _ in resumed):
        line.executor.ready()
    line.store.save_items(window, device, heads, items)
    progress.begin(len(resumed))
    cases = tuple(_begun(case, new, line, progress) for case, new in resumed)
    done = Scan(window, cases, tuple(rulings))
    line.store.finish_scan(window, device, "held" if done.held else "done")
    return done


def _begun(case: Case, new: Case, line: Line, progress: Progress) -> Case:
    """Follow a case; one that starts anew is first saved as its ruling left it."""
    if case is new:
        line.store.save_case(case, line.clock.now())
    return follow(case, line, progress)


def opened(case: Case) -> Case:
    """A new case as its ruling leaves it: a candidate goes on, anything else ends here with the rules' words."""
    if case.ruling.candidate:
        return case
    reasons = [reason for reason in case.ruling.reasons if reason.speaks_for == case.ruling.item_class]
    told = "; ".join(f"{one.why} ({one.rule}: {one.span.text!r})" if one.span else one.why for one in reasons[:3])
    why = f"{case.ruling.item_class}: {told or 'nothing in it speaks for a kernel fault'}"
    return case.model_copy(update={"outcome": Outcome(kind=OutcomeKind.DROPPED, stage="classify", reason=why)})


def follow(case: Case, line: Line, progress: Progress) -> Case:
    """Take a case along the stages from its first empty field to its outcome."""
    for name, field, verb in STAGES:
        if case.outcome is not None:
            break
        if getattr(case, field) is not None:
            continue
        progress.stage(case, name)
        case = _answered(case, name, field, _ask(case, name, verb, line), line.clock.now())
        line.store.save_case(case, line.clock.now())
    progress.finish(case)
    return case


def _ask(case: Case, name: str, verb: Callable[[Case, Line], Answer], line: Line) -> Answer:
    """A stage's answer. The one place where every error ends, so that one bad case drops only itself."""
    try:
        return verb(case, line)
    except InputError:
        raise
    except EdgeError as error:
        return Hold(reason=str(error))
    except Exception as error:  # noqa: BLE001
        frame = traceback.extract_tb(error.__traceback__)[-1]
        structlog.get_logger().exception("a stage failed", stage=name, case=case.key)
        why = f"a fault of alignbot in {name}: {type(error).__name__} at {frame.name}:{frame.lineno}; please report it"
        return Drop(reason=why, kind=OutcomeKind.WATCHED, look_again_after_days=1)


def _answered(case: Case, name: str, field: str, answer: Answer, now: datetime) -> Case:
    """The case with a stage's answer written into it."""
    if isinstance(answer, Hold):
        return case.model_copy(update={"outcome": Outcome(kind=OutcomeKind.HELD, stage=name, reason=answer.reason)})
    if isinstance(answer, Drop):
        days = answer.look_again_after_days
        again = now + timedelta(days=days) if days else None
        outcome = Outcome(kind=answer.kind, stage=name, reason=answer.reason, look_again_at=again)
        return case.model_copy(update={"outcome": outcome})
    case = case.model_copy(update={field: answer})
    if field == "draft" and isinstance(case.draft, Draft):
        outcome = Outcome(kind=OutcomeKind.FINDING, stage=name, reason=case.draft.title)
        case = case.model_copy(update={"outcome": outcome})
    return case


def _extracted(case: Case, line: Line) -> Answer:
    passed: list[str] = []
    for item in case.items:
        found, over = extract_item(item, line.extract_rules)
        best = runnable(found)
        if best is not None:
            return best
        passed += [f"#{item.number} {one}" for one in over]
        passed += [f"#{item.number}: it needs {', '.join(one.needs)}" for one in found if one.needs]
    told = f" ({'; '.join(passed[:3])})" if passed else ""
    return Absent(absent=f"the thread holds no runnable Python that works with torch{told}")


def _ported(case: Case, line: Line) -> Answer:
    if not isinstance(case.reproducer, Reproducer):
        return Absent(absent="there is nothing to port")
    try:
        return port(case.reproducer.code, line.target, line.port_rules)
    except PortError as error:
        return Absent(absent=f"the script can't be parsed: {error}")


def _ran(case: Case, line: Line) -> Answer:
    if not isinstance(case.port, Port):
        return Absent(absent="there is nothing to run")
    if case.port.leftovers:
        first = case.port.leftovers[0]
        return Absent(absent=f"the port is incomplete: line {first.line}, {first.text}: {first.why}")
    return line.executor.run(
        Job(
            script=case.port.code,
            device=line.target.name,
            repeats=line.repeats,
            timeout_s=line.timeout_s,
            memory_bytes=line.memory_bytes,
        )
    )


def _judged(case: Case, _: Line) -> Answer:
    for field in (case.reproducer, case.port, case.evidence):
        if isinstance(field, Absent):
            return Drop(reason=field.absent, kind=OutcomeKind.WATCHED, look_again_after_days=LOOK_AGAIN_FOR_CODE_DAYS)
    assert isinstance(case.evidence, RunEvidence)  # noqa: S101  the stage before filled it
    return judge(case.evidence, case.ruling.ops)


def _found(case: Case, _: Line) -> Answer:
    assert isinstance(case.evidence, RunEvidence)  # noqa: S101
    assert isinstance(case.judgement, Judgement)  # noqa: S101
    return find(case.ruling, case.evidence, case.judgement)


def _rendered(case: Case, line: Line) -> Answer:
    assert isinstance(case.finding, Finding)  # noqa: S101
    return render(case, case.finding, line.target, line.templates)


STAGES: tuple[Stage, ...] = (
    ("extract", "reproducer", _extracted),
    ("port", "port", _ported),
    ("run", "evidence", _ran),
    ("judge", "judgement", _judged),
    ("find", "finding", _found),
    ("render", "draft", _rendered),
)


def _groups(items: Sequence[Item], rulings: Sequence[Ruling]) -> list[tuple[Item, ...]]:
    """The chains of a window, each with its leader first, ordered by leader."""
    by_key = {item.key: item for item in items}
    groups: dict[str, tuple[Item, ...]] = {}
    for item, ruling in zip(items, rulings, strict=True):
        others = [by_key[f"{item.repo}#{number}"] for number in ruling.chain if f"{item.repo}#{number}" in by_key]
        chief = leader([item, *others])
        rest = sorted((one for one in (item, *others) if one is not chief), key=lambda one: one.order)
        groups[chief.key] = (chief, *rest)
    return [groups[key] for key in sorted(groups, key=lambda key: by_key[key].order)]


def _chief_ruling(group: Sequence[Item], rulings: Sequence[Ruling], items: Sequence[Item]) -> Ruling:
    """The leader's ruling, unless only another member is a candidate: then the likeliest of those."""
    of = {item.key: ruling for item, ruling in zip(items, rulings, strict=True)}
    own = of[group[0].key]
    candidates = sorted((of[item.key] for item in group[1:] if of[item.key].candidate), key=lambda one: -one.score)
    return own if own.candidate or not candidates else candidates[0]


def _resumed(fresh: Case, line: Line) -> Case:
    """What the store knows of a case, if its items are the same; a case whose time has come starts after its gate."""
    kept = line.store.load_case(fresh.key)
    outcome = kept.outcome if kept else None
    due = outcome is not None and outcome.look_again_at is not None and outcome.look_again_at <= line.clock.now()
    if kept is None or due or _digest(kept) != _digest(fresh):
        return fresh
    if outcome is not None and outcome.kind is OutcomeKind.HELD:
        return kept.model_copy(update={"outcome": None})
    return kept


def _digest(case: Case) -> str:
    return hashlib.sha256("\n".join(item.model_dump_json() for item in case.items).encode()).hexdigest()
