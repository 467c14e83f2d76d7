"""Follow: one table of stages, one function that takes a case along it, saving after each.

A filled field is never redone, so a killed scan goes on where it stopped. What the world refuses (EdgeError) holds
one case; what we did wrong (any other error) drops one case. Neither stops the others.
"""

import traceback
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from bot.model import (
    Absent,
    Case,
    Draft,
    Drop,
    Finding,
    Hold,
    Job,
    Judgement,
    Matches,
    OracleKind,
    Outcome,
    OutcomeKind,
    Owned,
    Port,
    Reproducer,
    RunEvidence,
    SourceEvidence,
    Value,
)
from bot.pipeline.line import Line
from bot.pipeline.merging import print_of, same_defect, told_before
from bot.seams import EdgeError, InputError, Progress
from bot.stages.extract import extract_item, runnable
from bot.stages.find import find
from bot.stages.fresh import fresh
from bot.stages.judge import judge
from bot.stages.measured import measured
from bot.stages.needs import barring
from bot.stages.owner import ELSEWHERE
from bot.stages.port import PortError, port
from bot.stages.render import render
from bot.stages.state import standings
from bot.stages.suspect import found_in_source, suspected

LOOK_AGAIN_FOR_OWNER_DAYS = 30
"""Code that upstream fixes for all devices reaches the target with the next builds."""
LOOK_AGAIN_FOR_CODE_DAYS = 7
"""A thread without a runnable script often gets one from a maintainer within days."""

Answer = Value | Absent | Drop | Hold | None
"""None: this stage has nothing to say, the next one is asked."""
Stage = tuple[str, str, Callable[[Case, Line], Answer]]


def take_up(case: Case, fresh: Case, line: Line, progress: Progress) -> Case:
    """Follow a case. One that starts anew is first saved so; one merged into a case that is no more goes on."""
    if case is fresh:
        line.store.start_case(case, line.clock.now())
    elif case.outcome and case.outcome.kind is OutcomeKind.MERGED and not _still_merged(case, line):
        case = case.model_copy(update={"outcome": None, "matches": None})
    return follow(case, line, progress)


def follow(case: Case, line: Line, progress: Progress) -> Case:
    """Take a case along the stages from its first empty field to its outcome."""
    for name, field, verb in STAGES:
        if case.outcome is not None:
            break
        if getattr(case, field) is not None:
            continue
        progress.stage(case, name)
        answer = _ask(case, name, verb, line)
        if answer is not None:
            case = _answered(case, name, field, answer, line.clock.now())
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


def _answered(case: Case, name: str, field: str, answer: Value, now: datetime) -> Case:
    """The case with a stage's answer written into it."""
    if isinstance(answer, Hold):
        return case.model_copy(update={"outcome": Outcome(kind=OutcomeKind.HELD, stage=name, reason=answer.reason)})
    if isinstance(answer, Drop):
        days = answer.look_again_after_days
        again = (now + timedelta(days=days)).replace(hour=0, minute=0, second=0, microsecond=0) if days else None
        outcome = Outcome(kind=answer.kind, stage=name, reason=answer.reason, look_again_at=again)
        return case.model_copy(update={"outcome": outcome})
    case = case.model_copy(update={field: answer})
    if isinstance(answer, Owned) and answer.ownership in ELSEWHERE:
        again = now + timedelta(days=LOOK_AGAIN_FOR_OWNER_DAYS)
        told = f"{answer.ownership}: {answer.why}"
        case = case.model_copy(
            update={"outcome": Outcome(kind=OutcomeKind.WATCHED, stage=name, reason=told, look_again_at=again)}
        )
    if isinstance(answer, Matches) and answer.suppressed:
        case = case.model_copy(update={"outcome": told_before(answer, name, now)})
    if field == "draft" and isinstance(case.draft, Draft):
        outcome = Outcome(kind=OutcomeKind.FINDING, stage=name, reason=case.draft.title)
        case = case.model_copy(update={"outcome": outcome})
    return case


def _owned(case: Case, line: Line) -> Answer:
    return line.owner(case.items, case.ruling)


def _extracted(case: Case, line: Line) -> Answer:
    passed: list[str] = []
    for item in case.items:
        found, over = extract_item(item, line.extract_rules)
        best = runnable(found)
        if best is not None:
            return best
        passed += [f"#{item.number} {one}" for one in over]
        passed += [f"#{item.number}: it needs {', '.join(barring(one.needs))}" for one in found if barring(one.needs)]
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
    first = next((one for one in case.port.leftovers if one.matters), None)
    if first is not None:
        return Absent(absent=f"the port is incomplete: line {first.line}, {first.text}: {first.why}")
    return line.executor.run(
        Job(
            smallest=True,
            script=case.port.code,
            device=line.target.name,
            repeats=line.repeats,
            timeout_s=line.timeout_s,
            memory_bytes=line.memory_bytes,
            simulate=line.simulate,
        )
    )


def _read(case: Case, line: Line) -> Answer:
    if line.reader is None:
        return Absent(absent="no kernel source was read: this scan has no reader")
    ran = case.evidence.runs[0].divergences if isinstance(case.evidence, RunEvidence) and case.evidence.runs else ()
    last = case.evidence.last_call if isinstance(case.evidence, RunEvidence) else None
    ops = dict.fromkeys([*(one.op for one in ran), *((last.op,) if last else ()), *case.ruling.ops])
    return line.reader.read(case.heads, list(ops), case.items)


def _judged(case: Case, line: Line) -> Answer:
    for field in (case.reproducer, case.port, case.evidence):
        if isinstance(field, Absent):
            suspicion = suspected(field.absent, case.source)
            if suspicion is not None:
                return suspicion
            return Drop(reason=field.absent, kind=OutcomeKind.WATCHED, look_again_after_days=LOOK_AGAIN_FOR_CODE_DAYS)
    assert isinstance(case.evidence, RunEvidence)  # noqa: S101  the stage before filled it
    assert isinstance(case.reproducer, Reproducer)  # noqa: S101
    judged = measured(judge(case.evidence, case.ruling.ops), case.reproducer.oracle, line.target.name)
    return fresh(judged, case.evidence, standings(case.items))


def _found(case: Case, line: Line) -> Answer:
    assert isinstance(case.judgement, Judgement)  # noqa: S101
    if case.judgement.oracle is OracleKind.SOURCE:
        assert isinstance(case.source, SourceEvidence)  # noqa: S101
        return found_in_source(case.source, line.target.name, simulated=line.simulate is not None)
    assert isinstance(case.evidence, RunEvidence)  # noqa: S101
    return find(case.ruling, case.evidence, case.judgement)


def _deduped(case: Case, line: Line) -> Answer:
    assert isinstance(case.finding, Finding)  # noqa: S101
    owner = same_defect(case, case.finding, line)
    if owner is not None:
        first = owner.leader.key
        why = f"the same defect as {first} of window {owner.window}, which holds finding {print_of(owner)}"
        return Drop(reason=why, kind=OutcomeKind.MERGED)
    if line.register is None:
        return Absent(absent="no tracker was searched in this scan")
    return line.register.search(case, case.finding)


def _still_merged(case: Case, line: Line) -> bool:
    """Is what it was merged into still there, and the same defect?"""
    answer = _deduped(case, line)
    return isinstance(answer, Drop) or (isinstance(answer, Matches) and bool(answer.suppressed))


def _rendered(case: Case, line: Line) -> Answer:
    assert isinstance(case.finding, Finding)  # noqa: S101
    return render(case, case.finding, line.target, line.templates)


STAGES: tuple[Stage, ...] = (
    ("own", "ownership", _owned),
    ("extract", "reproducer", _extracted),
    ("port", "port", _ported),
    ("run", "evidence", _ran),
    ("read", "source", _read),
    ("judge", "judgement", _judged),
    ("find", "finding", _found),
    ("dedupe", "matches", _deduped),
    ("render", "draft", _rendered),
)
