"""judge: what a run showed (bucket) and what follows for the target (verdict), in sentences.

Three oracles are told apart: the script's own assertion, a divergence that the shadow oracle saw, and a crash. Silence
counts only where the observer reported to its end.
"""

from collections.abc import Collection, Sequence

from bot.model import (
    Bucket,
    Divergence,
    DivergenceKind,
    Judgement,
    OpCount,
    OracleKind,
    Reason,
    RunEvidence,
    RunRecord,
    RunStatus,
    Verdict,
)
from bot.stages.ended import crashed, hung
from bot.stages.family import related
from bot.stages.suite import UNPROVEN, unproven
from bot.stages.verdicts import judgement, of_all, verdict_on

PLATFORM_ERRORS = ("NotImplementedError", "torch.OutOfMemoryError", "torch.AcceleratorError")
NOT_THE_SCRIPT = ("AssertionError: Torch not compiled with", "AssertionError: Torch not linked with")
"""What torch itself asserts of a device that this build lacks: the port left something behind."""


def judge(evidence: RunEvidence, ops: Sequence[str] = ()) -> Judgement:
    """Judge a run. `ops` are the operators that the item names; empty when a script is run for its own sake."""
    for step in (_not_run, hung, crashed, _asserted, _diverged, _unconfirmed, _failed):
        answer = step(evidence, ops)
        if answer is not None:
            return answer
    return _quiet(evidence, ops)


def lasting(evidence: RunEvidence) -> list[Divergence]:
    """The divergences of the first repeat that every other repeat shows too, with the same values."""
    if not evidence.runs:
        return []
    seen = [{one.signature for one in record.divergences} for record in evidence.runs]
    return [one for one in evidence.runs[0].divergences if all(one.signature in others for others in seen)]


def _not_run(evidence: RunEvidence, _: Sequence[str]) -> Judgement | None:
    if evidence.void:
        return judgement(Bucket.BLOCKED_ENV, Verdict.VERIFICATION_GAP, OracleKind.NONE, evidence.void)
    refused = evidence.status is RunStatus.REFUSED or any(one.status is RunStatus.REFUSED for one in evidence.runs)
    if refused or not evidence.runs:
        why = f"nothing ran: {evidence.why or 'no repeat reported anything'}"
        return judgement(Bucket.BLOCKED_ENV, Verdict.VERIFICATION_GAP, OracleKind.NONE, why)
    return None


def _asserted(evidence: RunEvidence, ops: Sequence[str]) -> Judgement | None:
    failed = [one for one in evidence.runs if _asserts(one)]
    if not failed:
        return None
    if len({one.raised for one in evidence.runs}) > 1:
        why = "the script's own assertion failed in some repeats and not, or differently, in others"
        return judgement(Bucket.RELATED_FAILURE, Verdict.VERIFICATION_GAP, OracleKind.ASSERTION, why)
    same = lasting(evidence)
    suspects = {one.op for one in same or evidence.ops if not ops or related(one.op, ops)}
    foreign = _not_native(evidence, suspects)
    if foreign:
        return judgement(Bucket.BLOCKED_SCRIPT_ERROR, Verdict.VERIFICATION_GAP, OracleKind.ASSERTION, foreign)
    why = f"the script's own assertion failed in {of_all(failed, evidence)}: {str(failed[0].raised).splitlines()[0]}"
    ran = _of_the_item(evidence, ops)
    if ops and not same and ran and all(count.checked == count.count for count in ran):
        why += f"; but every call of {_names(ran)} agrees with the float64 reference"
        return judgement(Bucket.RELATED_FAILURE, Verdict.VERIFICATION_GAP, OracleKind.ASSERTION, why)
    if same:
        return None  # the divergence tells more than the assertion that it broke
    return _confirmed(evidence, suspects, OracleKind.ASSERTION, why, ())


def _diverged(evidence: RunEvidence, ops: Sequence[str]) -> Judgement | None:
    if not any(record.divergences for record in evidence.runs):
        return None
    same = lasting(evidence)
    if not same:
        why = "a divergence was seen, but not with the same values in every repeat"
        return judgement(Bucket.RELATED_FAILURE, Verdict.VERIFICATION_GAP, OracleKind.DIVERGENCE, why)
    named = [one for one in same if not ops or related(one.op, ops)]
    chief = (named or same)[0]
    foreign = _not_native(evidence, {chief.op})
    if foreign:
        return judgement(Bucket.BLOCKED_SCRIPT_ERROR, Verdict.VERIFICATION_GAP, OracleKind.DIVERGENCE, foreign)
    why = f"{chief.op} in {chief.dtype} {_far(chief)} in {of_all(evidence.runs, evidence)}"
    if all(_asserts(record) for record in evidence.runs):
        why += "; the script's own assertion fails too"
    if not named:
        why += f"; the item names {', '.join(ops)}"
        verdict = Verdict.VERIFICATION_GAP
        return judgement(Bucket.RELATED_FAILURE, verdict, OracleKind.DIVERGENCE, why, _divergence_reasons(same))
    return _confirmed(evidence, {chief.op}, OracleKind.DIVERGENCE, why, _divergence_reasons(named))


def _unconfirmed(evidence: RunEvidence, _: Sequence[str]) -> Judgement | None:
    """Something was seen in the script's process that a clean one does not show: neither a finding nor silence."""
    if not evidence.unconfirmed:
        return None
    why = f"nothing that counts: {'; '.join(evidence.unconfirmed[:3])}"
    return judgement(Bucket.RELATED_FAILURE, Verdict.VERIFICATION_GAP, OracleKind.DIVERGENCE, why)


def _failed(evidence: RunEvidence, _: Sequence[str]) -> Judgement | None:
    failed = [one for one in evidence.runs if one.status is RunStatus.ERROR]
    if not failed:
        return None
    raised, code = failed[0].raised, failed[0].exit_code
    if not failed[0].observed:
        why = f"the process ended with exit code {code} before the observer could report"
        return judgement(Bucket.BLOCKED_SCRIPT_ERROR, Verdict.VERIFICATION_GAP, OracleKind.NONE, why)
    if raised is None:
        why = f"the script ended with exit code {code} in {of_all(failed, evidence)} and no divergence was seen"
        told = unproven(failed[0].stderr) if code == UNPROVEN else None
        why += f"; it says of its tests: {told}" if told else ""
        return judgement(Bucket.BLOCKED_SCRIPT_ERROR, Verdict.VERIFICATION_GAP, OracleKind.NONE, why)
    first = (raised.splitlines() or ["nothing that has a name"])[0]
    bucket = Bucket.BLOCKED_SCRIPT_ERROR
    if first.startswith(PLATFORM_ERRORS):
        bucket = Bucket.BLOCKED_PLATFORM
    elif first.startswith(("ModuleNotFoundError", "ImportError")):
        bucket = Bucket.BLOCKED_ENV
    why = f"the script raised {first} in {of_all(failed, evidence)}"
    return judgement(bucket, Verdict.VERIFICATION_GAP, OracleKind.NONE, why)


def _quiet(evidence: RunEvidence, ops: Sequence[str]) -> Judgement:
    """Nothing was off: that ends a case only if the operators that it is about were all compared."""
    if not all(record.observed for record in evidence.runs):
        why = "the observer did not report to its end, so that silence proves nothing"
        return judgement(Bucket.BLOCKED_SCRIPT_ERROR, Verdict.VERIFICATION_GAP, OracleKind.NONE, why)
    checked = evidence.runs[0].checked
    if checked == 0:
        why = "no call on the device could be compared with a reference"
        return judgement(Bucket.BLOCKED_SCRIPT_ERROR, Verdict.VERIFICATION_GAP, OracleKind.NONE, why)
    agree = "one call agrees" if checked == 1 else f"{checked} calls agree"
    why = f"{agree} with the float64 reference in {of_all(evidence.runs, evidence)}, and the script ended well"
    gap = _not_compared(evidence, ops) if ops else None
    verdict = Verdict.VERIFICATION_GAP if gap else Verdict.NON_ISSUE
    return judgement(Bucket.NOT_REPRODUCED, verdict, OracleKind.NONE, f"{why}; {gap}" if gap else why)


def _not_compared(evidence: RunEvidence, ops: Sequence[str]) -> str | None:
    """What silence does not cover, or None: the item's operators that did not run or were not all compared."""
    ran = _of_the_item(evidence, ops)
    if not ran:
        return f"but none of the operators that the item names ({', '.join(ops)}) was seen to run on the device"
    missed = [count for count in ran if count.checked < count.count]
    if not missed:
        return None
    calls = sum(count.count - count.checked for count in missed)
    reasons = ", ".join(evidence.runs[0].unchecked) or "no reason told"
    told = "one call" if calls == 1 else f"{calls} calls"
    return f"but {told} of {_names(missed)} went without comparison (reasons in this run: {reasons})"


def _of_the_item(evidence: RunEvidence, ops: Sequence[str]) -> list[OpCount]:
    """What ran on the device of the operators that the item names."""
    here = (count for count in evidence.ops if count.device.partition(":")[0] == evidence.device.type)
    return [count for count in here if related(count.op, ops)]


def _names(counts: Sequence[OpCount]) -> str:
    return ", ".join(sorted({count.op for count in counts}))


def _asserts(record: RunRecord) -> bool:
    raised = record.raised or ""
    return (
        record.status is RunStatus.ERROR
        and raised.startswith("AssertionError")
        and not raised.startswith(NOT_THE_SCRIPT)
    )


def _confirmed(
    evidence: RunEvidence, suspects: Collection[str], oracle: OracleKind, why: str, reasons: tuple[Reason, ...]
) -> Judgement:
    """A fault that every repeat shows; a fix is asked for where the device's own kernel was seen to run."""
    verdict = verdict_on(evidence.device)
    native = any(count.native for count in evidence.ops if count.op in suspects)
    if verdict is Verdict.NEEDS_XPU_FIX and not native:
        verdict = Verdict.VERIFICATION_GAP
        why += "; no operator that it may come from was seen to run in the device's own kernel"
    return judgement(Bucket.CONFIRMED, verdict, oracle, why, reasons)


def _not_native(evidence: RunEvidence, suspects: Collection[str]) -> str | None:
    """Why the result of these operators is not the device's own, or None."""
    if evidence.device.type == "cpu":
        return None
    fallen = sorted({count.op for count in evidence.ops if count.native is False and count.op in suspects})
    if fallen:
        return f"{', '.join(fallen)} fell back to the CPU, so that the result says nothing of the device's own kernel"
    return None


_OTHERWISE = {
    DivergenceKind.ERROR_MISSING: "raises nothing where the CPU raises",
    DivergenceKind.ERROR_EXTRA: "raises what the CPU does not:",
    DivergenceKind.NONDETERMINISTIC: "gives other bits when it is called again",
}


def _far(divergence: Divergence) -> str:
    if divergence.kind in _OTHERWISE:
        return " ".join(filter(None, (_OTHERWISE[divergence.kind], divergence.raised)))
    if divergence.kind is not DivergenceKind.VALUE:
        return f"differs from the float64 reference ({divergence.raised or divergence.kind})"
    if divergence.ulps is not None:
        return f"is off by {divergence.ulps:g} units in the last place from the float64 reference"
    if divergence.max_abs_err is not None:
        return f"is off by {divergence.max_abs_err:g} from the float64 reference"
    return "differs from the float64 reference"


def _divergence_reasons(divergences: Sequence[Divergence]) -> tuple[Reason, ...]:
    return tuple(
        Reason(rule="shadow-oracle", why=f"{one.op} {one.dtype} output {one.output}: {one.observed} for {one.expected}")
        for one in divergences
    )
