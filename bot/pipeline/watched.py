"""Watched: a case whose day to look again has come is run again, or gets a new day with the reason. None is forgotten.

What upstream mends for all devices is asked once a build has upstream's change: the fault is gone then, or it was not
upstream's alone and is a finding.
"""

from datetime import datetime, timedelta

from bot.model import (
    Bucket,
    Build,
    Case,
    ChangeState,
    Outcome,
    OutcomeKind,
    Owned,
    Ownership,
)
from bot.pipeline.following import follow
from bot.pipeline.line import Line
from bot.seams import Progress
from bot.stages.begin import opened
from bot.stages.state import standings

STAGE = "watch"
NEXT_BUILD_DAYS, NOT_LANDED_DAYS = 1, 14
FILLED = (
    "ownership",
    "reproducer",
    "port",
    "evidence",
    "source",
    "judgement",
    "finding",
    "matches",
    "draft",
    "outcome",
)


def look_again(case: Case, line: Line, build: Build | None, progress: Progress) -> Case:
    """The case as it stands after the look, saved. `build` is the one that scripts run on, where it is known."""
    now = line.clock.now()
    known = {item.key: item for item in line.store.items(case.window, [item.key for item in case.items])}
    case = case.model_copy(update={"items": tuple(known.get(item.key, item) for item in case.items)})
    if not case.waits_for_build:
        return _anew(case, line, progress, now)
    why, days = _not_yet(case, build)
    if why or build is None:
        return _saved(_later(case, why, days, now), line)
    return _asked(case, line, build, progress, now)


def _not_yet(case: Case, build: Build | None) -> tuple[str, int]:
    """Why it is too early, and for how many days; empty where it is time."""
    told = standings(case.items)
    landed = [one.since for one in told.values() if one.state is ChangeState.LANDED and one.since]
    if not landed:
        lead = told[case.leader.key]
        return f"upstream has landed no change yet: {lead.why}", NOT_LANDED_DAYS
    last = max(landed)
    if build is None:
        return "which build this is is not known", NEXT_BUILD_DAYS
    if not build.has(last):
        return f"upstream's change landed on {last.date()}, and build {build.key} may lack it", NEXT_BUILD_DAYS
    return "", 0


def _asked(case: Case, line: Line, build: Build, progress: Progress, now: datetime) -> Case:
    """Run it: the build has upstream's change."""
    why = f"build {build.key} has upstream's change, and it was run again to see whether that is enough"
    owned = Owned(ownership=Ownership.UNKNOWN, why=why)
    begun = case.model_copy(update={**dict.fromkeys(FILLED), "ownership": owned})
    line.store.start_case(begun, now)
    ended = follow(begun, line, progress)
    outcome = ended.outcome
    if outcome is None or outcome.kind is OutcomeKind.HELD:
        return _saved(_later(case, outcome.reason if outcome else "it came to no end", NEXT_BUILD_DAYS, now), line)
    if ended.judgement is not None and ended.judgement.bucket is Bucket.NOT_REPRODUCED:
        told = f"fixed by upstream's change in build {build.key}: {ended.judgement.why}"
        gone = Outcome(kind=OutcomeKind.DROPPED, stage=STAGE, reason=told)
        return _saved(ended.model_copy(update={"outcome": gone, "ownership": case.ownership}), line)
    return _dated(ended, line, now)


def _anew(case: Case, line: Line, progress: Progress, now: datetime) -> Case:
    """From its ruling on, as a scan of its window would."""
    begun = opened(case.model_copy(update=dict.fromkeys(FILLED)), now)
    line.store.start_case(begun, now)
    ended = follow(begun, line, progress)
    if ended.outcome is None or ended.outcome.kind is OutcomeKind.HELD:
        why = ended.outcome.reason if ended.outcome else "it came to no end"
        return _saved(_later(case, why, NEXT_BUILD_DAYS, now), line)
    return _dated(ended, line, now)


def _dated(case: Case, line: Line, now: datetime) -> Case:
    """What is still watched has a day to come."""
    outcome = case.outcome
    if outcome is None or outcome.kind is not OutcomeKind.WATCHED:
        return case
    if outcome.look_again_at is not None and outcome.look_again_at > now:
        return case
    return _saved(_later(case, outcome.reason, NEXT_BUILD_DAYS, now), line)


def _later(case: Case, why: str, days: int, now: datetime) -> Case:
    """The case as it was, with another day and its reason; its stage tells still what it waits for."""
    stage = case.outcome.stage if case.outcome else STAGE
    again = (now + timedelta(days=days)).replace(hour=0, minute=0, second=0, microsecond=0)
    outcome = Outcome(kind=OutcomeKind.WATCHED, stage=stage, reason=why, look_again_at=again)
    return case.model_copy(update={"outcome": outcome})


def _saved(case: Case, line: Line) -> Case:
    line.store.save_case(case, line.clock.now())
    return case
