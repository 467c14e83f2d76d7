"""gate: may a finding leave for the tracker now? A ladder of early answers, each a sentence.

What the evidence lacks, no person can grant. What is only held for a look, a person's approval lets through.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta
from fnmatch import fnmatchcase

from bot.model import (
    Absent,
    Bucket,
    Case,
    Decision,
    DecisionKind,
    DispatchHow,
    Finding,
    Go,
    ItemKind,
    Mode,
    Moment,
    OracleKind,
    Ownership,
    ParityKind,
    Policy,
    RunEvidence,
    SourceEvidence,
    StateReason,
    Verdict,
    Wait,
    rfc3339,
)
from bot.stages.judge import lasting
from bot.stages.owner import ELSEWHERE
from bot.stages.parity import parity_of

FEWEST_RUNS = 2
Rung = Callable[[Finding, Case, Policy, Moment], str | None]


def gate(finding: Finding, case: Case, said: Sequence[Decision], policy: Policy, moment: Moment) -> Go | Wait:
    """Go, or the first reason why not. `said` is what people decided, oldest first."""
    mode = policy.mode_of(finding.defect_kind)
    if mode in (Mode.OFF, Mode.DRY_RUN):
        why = f"filing is {mode.value} for {finding.defect_kind.value}: set filing.mode or filing.kinds"
        return Wait(reason=why)
    lacking = _first(EVIDENCE, finding, case, policy, moment)
    if lacking:
        return Wait(reason=lacking)
    last = next((one for one in reversed(said) if not _over(one, moment)), None)
    if last is not None and last.kind is not DecisionKind.UNDUPLICATE:
        return Go() if last.kind is DecisionKind.APPROVE else Wait(reason=_told(last))
    if mode is Mode.DRAFT:
        return Wait(reason="nobody has approved it: `alignbot findings approve`")
    held = _first(HELD, finding, case, policy, moment)
    return Wait(reason=f"{held}; a person may approve it") if held else Go()


def _first(rungs: "Sequence[Rung]", finding: Finding, case: Case, policy: Policy, moment: Moment) -> str | None:
    """The first reason why not."""
    return next((why for rung in rungs if (why := rung(finding, case, policy, moment))), None)


def _over(said: Decision, moment: Moment) -> bool:
    """Does a word decide nothing any more? A snooze ends, and to run it again says nothing of filing."""
    if said.kind is DecisionKind.RETEST:
        return True
    return said.kind is DecisionKind.SNOOZE and said.until is not None and said.until <= moment.now


def _told(last: Decision) -> str:
    until = f" until {rfc3339(last.until)}" if last.until else ""
    return f"{last.kind.value}{until}: {last.reason}"


def _not_real(finding: Finding, _: Case, policy: Policy, __: Moment) -> str | None:
    if policy.rehearsal:
        return None
    if finding.simulated:
        return "the device was simulated: that proves nothing about a real one"
    if finding.target != "xpu":
        return f"it ran on {finding.target}: that proves nothing about XPU"
    return None if finding.sandboxed else "it ran outside the sandbox, where a script may have met anything"


def _not_run(finding: Finding, case: Case, _: Policy, __: Moment) -> str | None:
    if isinstance(case.evidence, RunEvidence) and finding.symptom != OracleKind.SOURCE:
        return f"the device was not well: {case.evidence.void}" if case.evidence.void else None
    return "nothing ran: a suspicion from source needs a run first"


def _not_native(finding: Finding, case: Case, policy: Policy, _: Moment) -> str | None:
    assert isinstance(case.evidence, RunEvidence)  # noqa: S101  the rung before asked
    counts = [one for one in case.evidence.ops if one.op == finding.op]
    if any(one.native is False for one in counts):
        return f"{finding.op} fell back to the CPU in that run"
    native = any(one.native for one in counts) or bool(case.evidence.last_call and case.evidence.last_call.native)
    return None if native or policy.rehearsal else f"{finding.op} was not seen to run in the device's own kernel"


def _not_repeated(finding: Finding, case: Case, _: Policy, __: Moment) -> str | None:
    assert isinstance(case.evidence, RunEvidence)  # noqa: S101
    if len(case.evidence.runs) < FEWEST_RUNS:
        return f"fresh processes that ran it: {len(case.evidence.runs)}, and a finding needs {FEWEST_RUNS}"
    if finding.divergences and not any(one.op == finding.op for one in lasting(case.evidence)):
        return "not every repeat shows it"
    return None


def _not_confirmed(_: Finding, case: Case, policy: Policy, __: Moment) -> str | None:
    if case.judgement is None or case.judgement.bucket is not Bucket.CONFIRMED:
        return "no run has confirmed it"
    if case.judgement.verdict is Verdict.NEEDS_XPU_FIX or policy.rehearsal:
        return None
    return f"{case.judgement.verdict.value}: {case.judgement.why}"


def _not_the_targets(finding: Finding, case: Case, _: Policy, __: Moment) -> str | None:
    if case.ownership is not None and case.ownership.ownership in ELSEWHERE:
        return f"{case.ownership.ownership.value}: {case.ownership.why}"
    if isinstance(case.source, SourceEvidence):
        told = next((one for one in case.source.dispatch if one.op == finding.op), None)
        if told is not None and told.how in (DispatchHow.COMPOSITE, DispatchHow.FALLBACK):
            return f"not the target's own kernel: {told.why}"
        covered = [one for one in case.source.changes if one.covers]
        if covered and len(covered) == len(case.source.changes):
            return f"the upstream fix reaches the target: {covered[0].why}"
    return None


def _told_before(_: Finding, case: Case, policy: Policy, __: Moment) -> str | None:
    if isinstance(case.matches, Absent) or case.matches is None:
        return None if policy.rehearsal else "the tracker was not searched for duplicates"
    if case.matches.suppressed:
        return case.matches.suppressed
    exact = case.matches.exact
    return f"#{exact.number} tells of it already: {'; '.join(exact.reasons)}" if exact else None


def _owner_not_known(_: Finding, case: Case, __: Policy, ___: Moment) -> str | None:
    if case.ownership is None or case.ownership.ownership is Ownership.UNKNOWN:
        return f"whose code it is is not known: {case.ownership.why if case.ownership else 'nobody asked'}"
    return None


def _hardening(finding: Finding, case: Case, policy: Policy, _: Moment) -> str | None:
    parity = parity_of(case, finding.defect_kind)
    return None if policy.hardening or parity.kind is not ParityKind.HARDENING else f"hardening: {parity.why}"


def _expected(_: Finding, case: Case, __: Policy, ___: Moment) -> str | None:
    closed = [
        one.key for one in case.items if one.kind is ItemKind.ISSUE and one.state_reason is StateReason.NOT_PLANNED
    ]
    return f"upstream says that it is expected: {', '.join(closed)} was closed as not planned" if closed else None


def _muted(finding: Finding, case: Case, policy: Policy, _: Moment) -> str | None:
    paths = {one.path for one in case.source.kernels} if isinstance(case.source, SourceEvidence) else set()
    paths |= {case.ownership.path} if case.ownership and case.ownership.path else set()
    for pattern in policy.muted:
        if fnmatchcase(finding.op, pattern) or any(fnmatchcase(path, pattern) for path in paths):
            return f"muted by filing.muted: {pattern}"
    return None


def _near(_: Finding, case: Case, policy: Policy, __: Moment) -> str | None:
    near = case.matches.near if case.matches is not None and not isinstance(case.matches, Absent) else ()
    like = next((one for one in near if one.score >= policy.near), None)
    return f"#{like.number} may tell of it ({like.score:.2f}: {'; '.join(like.reasons)})" if like else None


def _quiet(_: Finding, __: Case, policy: Policy, moment: Moment) -> str | None:
    if moment.found_at is None:
        return None
    until = moment.found_at + max(policy.quiet, timedelta())
    return f"the quiet period lasts until {rfc3339(until)}" if moment.now < until else None


def _storm(_: Finding, __: Case, policy: Policy, moment: Moment) -> str | None:
    if moment.in_window <= policy.most_a_window:
        return None
    return f"its window has {moment.in_window} findings, more than {policy.most_a_window}: all of them wait"


EVIDENCE: tuple[Rung, ...] = (
    _not_real, _not_run, _not_native, _not_repeated, _not_confirmed, _not_the_targets, _told_before, _muted,
)  # fmt: skip
"""What no approval replaces."""
HELD: tuple[Rung, ...] = (_owner_not_known, _hardening, _expected, _near, _quiet, _storm)
"""What a person may decide otherwise."""
