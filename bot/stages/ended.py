"""Runs that something ended: a signal, the time limit, a limit of the sandbox.

A crash or a hang is confirmed by one thing alone: the call that the run did not come back from, made again by itself
in clean processes, ends each of them in the same way. A script can end its own process by any means it likes.
"""

from collections.abc import Sequence

from bot.model import Bucket, Judgement, LastCall, OracleKind, RunEvidence, RunRecord, RunStatus, Verdict
from bot.stages.family import related
from bot.stages.verdicts import judgement, of_all, verdict_on

FATAL_SIGNALS = frozenset({4, 6, 7, 8, 11})
"""ILL, ABRT, BUS, FPE, SEGV: the script's own doing, unlike a kill from outside."""


def hung(evidence: RunEvidence, ops: Sequence[str]) -> Judgement | None:
    """A run past the time limit: an operator that hangs, or a script that is long."""
    late = [one for one in evidence.runs if one.status is RunStatus.TIMEOUT]
    if not late:
        return None
    told = f"{of_all(late, evidence)} ran past the time limit"
    last = evidence.last_call
    if last is not None and last.how == "hang":
        return _by_last_call(evidence, last, told, ops)
    return judgement(Bucket.BLOCKED_ENV, Verdict.VERIFICATION_GAP, OracleKind.NONE, told)


def crashed(evidence: RunEvidence, ops: Sequence[str]) -> Judgement | None:
    """A run that a signal or a limit ended."""
    killed = [one for one in evidence.runs if one.status is RunStatus.KILLED]
    if not killed:
        return None
    fatal = [one for one in killed if one.signal in FATAL_SIGNALS]
    if not fatal:
        why = f"the run was stopped: {killed[0].why or f'signal {killed[0].signal}'}"
        return judgement(Bucket.BLOCKED_ENV, Verdict.VERIFICATION_GAP, OracleKind.NONE, why)
    same = [one for one in killed if one.signal == fatal[0].signal]
    told = f"the process died of signal {fatal[0].signal} in {of_all(same, evidence)}"
    if len(same) < max(2, len(evidence.runs)):
        told += "; a crash counts when all of several repeats show it"
        return judgement(Bucket.RELATED_FAILURE, Verdict.VERIFICATION_GAP, OracleKind.CRASH, told)
    last = evidence.last_call
    if last is not None and last.how == f"signal {fatal[0].signal}":
        return _by_last_call(evidence, last, told, ops)
    told += f"; {_where(fatal)}, so that nothing can bear it out"
    return judgement(Bucket.RELATED_FAILURE, Verdict.VERIFICATION_GAP, OracleKind.CRASH, told)


def _where(fatal: Sequence[RunRecord]) -> str:
    place = fatal[0].underway
    if place is None:
        return "no operator's call was running then"
    return f"{place.name} was running then, whose arguments could not be written down"


def _by_last_call(evidence: RunEvidence, last: LastCall, told: str, ops: Sequence[str]) -> Judgement:
    """What the call by itself shows."""
    ends = "does not come back" if last.how == "hang" else f"dies of {last.how}"
    told += f"; {last.op} made again by itself {ends} in {last.shown} of {last.tried} clean processes"
    gap = Verdict.VERIFICATION_GAP
    if not last.tried or last.shown < last.tried:
        return judgement(Bucket.RELATED_FAILURE, gap, OracleKind.CRASH, told)
    if ops and not related(last.op, ops):
        told += f"; the item names {', '.join(ops)}"
        return judgement(Bucket.RELATED_FAILURE, gap, OracleKind.CRASH, told)
    verdict = verdict_on(evidence.device)
    if verdict is Verdict.NEEDS_XPU_FIX and last.native is not True:
        told += "; it was not seen to run in the device's own kernel"
        verdict = gap
    return judgement(Bucket.CONFIRMED, verdict, OracleKind.CRASH, told)
