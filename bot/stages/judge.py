"""judge: what a run showed (bucket) and what follows for the target (verdict), in sentences.

Three oracles are told apart: the script's own assertion, a divergence that the shadow oracle saw, and a crash. Silence
counts only where the observer reported to its end.
"""

from collections.abc import Sequence

from bot.model import (
    Bucket,
    DeviceFacts,
    Divergence,
    Judgement,
    OracleKind,
    Reason,
    RunEvidence,
    RunRecord,
    RunStatus,
    Verdict,
)

PLATFORM_ERRORS = ("NotImplementedError", "torch.OutOfMemoryError", "torch.AcceleratorError")
FATAL_SIGNALS = frozenset({4, 6, 7, 8, 11})
"""ILL, ABRT, BUS, FPE, SEGV: the script's own doing, unlike a kill from outside."""


def judge(evidence: RunEvidence, ops: Sequence[str] = ()) -> Judgement:
    """Judge a run. `ops` are the operators that the item names; empty when a script is run for its own sake."""
    for step in (_not_run, _crashed, _asserted, _diverged, _failed):
        answer = step(evidence, ops)
        if answer is not None:
            return answer
    return _quiet(evidence)


def lasting(evidence: RunEvidence) -> list[Divergence]:
    """The divergences of the first repeat that every other repeat shows too, with the same values."""
    if not evidence.runs:
        return []
    seen = [{one.signature for one in record.divergences} for record in evidence.runs]
    return [one for one in evidence.runs[0].divergences if all(one.signature in others for others in seen)]


def related(op: str, ops: Sequence[str]) -> bool:
    """Is `op` one of `ops`, or the backward or forward half of one?"""
    stem = op.removesuffix("_backward")
    return any(stem == other.removesuffix("_backward") for other in ops)


def _not_run(evidence: RunEvidence, _: Sequence[str]) -> Judgement | None:
    if evidence.status is RunStatus.REFUSED or not evidence.runs:
        return _judgement(Bucket.BLOCKED_ENV, Verdict.VERIFICATION_GAP, OracleKind.NONE, f"nothing ran: {evidence.why}")
    if evidence.status is RunStatus.TIMEOUT:
        why = f"{_all(evidence.runs)} ran past the time limit"
        return _judgement(Bucket.BLOCKED_ENV, Verdict.VERIFICATION_GAP, OracleKind.NONE, why)
    return None


def _crashed(evidence: RunEvidence, _: Sequence[str]) -> Judgement | None:
    signals = [record.signal for record in evidence.runs]
    if evidence.status is not RunStatus.KILLED:
        return None
    if signals[0] in FATAL_SIGNALS and len(set(signals)) == 1 and len(signals) > 1:
        why = f"the process died of signal {signals[0]} in {_all(evidence.runs)}"
        return _judgement(Bucket.CONFIRMED, _verdict(evidence.device), OracleKind.CRASH, why)
    why = f"the run was stopped: {evidence.runs[0].why or f'signal {signals[0]}'}"
    return _judgement(Bucket.BLOCKED_ENV, Verdict.VERIFICATION_GAP, OracleKind.NONE, why)


def _asserted(evidence: RunEvidence, _: Sequence[str]) -> Judgement | None:
    raised = evidence.runs[0].raised or ""
    if not raised.startswith("AssertionError"):
        return None
    if len({record.raised for record in evidence.runs}) > 1:
        why = "the script's own assertion failed in some repeats and not, or differently, in others"
        return _judgement(Bucket.RELATED_FAILURE, Verdict.VERIFICATION_GAP, OracleKind.ASSERTION, why)
    why = f"the script's own assertion failed in {_all(evidence.runs)}: {raised.splitlines()[0]}"
    reasons = _divergence_reasons(lasting(evidence))
    return _judgement(Bucket.CONFIRMED, _verdict(evidence.device), OracleKind.ASSERTION, why, reasons)


def _diverged(evidence: RunEvidence, ops: Sequence[str]) -> Judgement | None:
    if not any(record.divergences for record in evidence.runs):
        return None
    same = lasting(evidence)
    if not same:
        why = "a divergence was seen, but not with the same values in every repeat"
        return _judgement(Bucket.RELATED_FAILURE, Verdict.VERIFICATION_GAP, OracleKind.DIVERGENCE, why)
    named = [one for one in same if not ops or related(one.op, ops)]
    chief = (named or same)[0]
    foreign = _not_native(evidence, chief.op)
    if foreign:
        return _judgement(Bucket.BLOCKED_SCRIPT_ERROR, Verdict.VERIFICATION_GAP, OracleKind.DIVERGENCE, foreign)
    why = f"{chief.op} in {chief.dtype} is off by {_far(chief)} from the float64 reference in {_all(evidence.runs)}"
    if not named:
        why += f"; the item names {', '.join(ops)}"
        verdict = Verdict.VERIFICATION_GAP
        return _judgement(Bucket.RELATED_FAILURE, verdict, OracleKind.DIVERGENCE, why, _divergence_reasons(same))
    verdict = _verdict(evidence.device)
    return _judgement(Bucket.CONFIRMED, verdict, OracleKind.DIVERGENCE, why, _divergence_reasons(named))


def _failed(evidence: RunEvidence, _: Sequence[str]) -> Judgement | None:
    if evidence.status is not RunStatus.ERROR:
        return None
    raised = evidence.runs[0].raised
    if not evidence.runs[0].observed:
        why = f"the process ended with exit code {evidence.exit_code} before the observer could report"
        return _judgement(Bucket.BLOCKED_SCRIPT_ERROR, Verdict.VERIFICATION_GAP, OracleKind.NONE, why)
    if raised is None:
        why = f"the script ended with exit code {evidence.exit_code} and no divergence was seen"
        return _judgement(Bucket.BLOCKED_SCRIPT_ERROR, Verdict.VERIFICATION_GAP, OracleKind.NONE, why)
    first = raised.splitlines()[0]
    bucket = Bucket.BLOCKED_SCRIPT_ERROR
    if first.startswith(PLATFORM_ERRORS):
        bucket = Bucket.BLOCKED_PLATFORM
    elif first.startswith(("ModuleNotFoundError", "ImportError")):
        bucket = Bucket.BLOCKED_ENV
    return _judgement(bucket, Verdict.VERIFICATION_GAP, OracleKind.NONE, f"the script raised {first}")


def _quiet(evidence: RunEvidence) -> Judgement:
    if not all(record.observed for record in evidence.runs):
        why = "the observer did not report to its end, so that silence proves nothing"
        return _judgement(Bucket.BLOCKED_SCRIPT_ERROR, Verdict.VERIFICATION_GAP, OracleKind.NONE, why)
    checked = evidence.runs[0].checked
    if checked == 0:
        why = "no call on the device could be compared with a reference"
        return _judgement(Bucket.BLOCKED_SCRIPT_ERROR, Verdict.VERIFICATION_GAP, OracleKind.NONE, why)
    why = f"{checked} calls agree with their float64 reference in {_all(evidence.runs)}, and the script ended well"
    return _judgement(Bucket.NOT_REPRODUCED, Verdict.NON_ISSUE, OracleKind.NONE, why)


def _verdict(device: DeviceFacts) -> Verdict:
    """What a confirmed fault means: only a real XPU's own run calls for a fix there."""
    real_xpu = device.type == "xpu" and not device.simulated
    return Verdict.NEEDS_XPU_FIX if real_xpu else Verdict.VERIFICATION_GAP


def _not_native(evidence: RunEvidence, op: str) -> str | None:
    """Why the operator's result is not the device's own, or None."""
    if evidence.device.type == "cpu":
        return None
    seen = [count for count in evidence.ops if count.op == op]
    if any(count.native is False for count in seen):
        return f"{op} fell back to the CPU, so that its result says nothing of the device's own kernel"
    return None


def _far(divergence: Divergence) -> str:
    if divergence.ulps is not None:
        return f"{divergence.ulps:g} units in the last place"
    return f"{divergence.max_abs_err:g}" if divergence.max_abs_err is not None else divergence.kind.value


def _all(runs: Sequence[RunRecord]) -> str:
    """`2 of 2 fresh processes`: every repeat is a process of its own."""
    return f"{len(runs)} of {len(runs)} fresh processes" if len(runs) > 1 else "one process"


def _divergence_reasons(divergences: Sequence[Divergence]) -> tuple[Reason, ...]:
    return tuple(
        Reason(rule="shadow-oracle", why=f"{one.op} {one.dtype} output {one.output}: {one.observed} for {one.expected}")
        for one in divergences
    )


def _judgement(
    bucket: Bucket, verdict: Verdict, oracle: OracleKind, why: str, reasons: tuple[Reason, ...] = ()
) -> Judgement:
    return Judgement(bucket=bucket, verdict=verdict, oracle=oracle, why=why, reasons=reasons)
