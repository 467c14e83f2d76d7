"""find: put a confirmed run into words that don't move, or say why there is no finding."""

from collections.abc import Sequence

from bot.model import (
    Bucket,
    DefectKind,
    Divergence,
    DivergenceKind,
    Drop,
    Finding,
    Judgement,
    OracleKind,
    OutcomeKind,
    Ruling,
    RunEvidence,
    Verdict,
)
from bot.stages.family import related
from bot.stages.judge import lasting

LOOK_AGAIN_DAYS = {
    Bucket.NOT_REPRODUCED: None,
    Bucket.RELATED_FAILURE: 7,
    Bucket.BLOCKED_ENV: 1,
    Bucket.BLOCKED_PLATFORM: 30,
    Bucket.BLOCKED_SCRIPT_ERROR: 7,
    Bucket.NEEDS_PERFORMANCE_HARNESS: 30,
}
"""Days until a case without a finding is asked again; None ends it."""


def find(ruling: Ruling, evidence: RunEvidence, judgement: Judgement) -> Finding | Drop:
    """The finding of a confirmed case, else a Drop with the judgement's sentence.

    Everything in it comes from the run: two threads about one fault must make one finding.
    """
    if judgement.bucket is not Bucket.CONFIRMED:
        days = LOOK_AGAIN_DAYS[judgement.bucket]
        ends = judgement.verdict is Verdict.NON_ISSUE
        kind = OutcomeKind.DROPPED if ends else OutcomeKind.WATCHED
        days = None if ends else days or LOOK_AGAIN_DAYS[Bucket.RELATED_FAILURE]
        return Drop(reason=f"{judgement.bucket}: {judgement.why}", kind=kind, look_again_after_days=days)
    named = [one for one in lasting(evidence) if not ruling.ops or related(one.op, ruling.ops)]
    chief = named[0] if named else None
    last = evidence.last_call if judgement.oracle is OracleKind.CRASH else None
    op = chief.op if chief else last.op if last else next(iter(ruling.ops), None)
    if op is None:
        reason = f"{judgement.bucket}: {judgement.why}; which operator is at fault is not known"
        return Drop(reason=reason, kind=OutcomeKind.WATCHED, look_again_after_days=7)
    chosen = plainest([one for one in named if chief and (one.op, one.sibling) == (chief.op, chief.sibling)])
    return Finding(
        target=evidence.device.type,
        simulated=evidence.device.simulated,
        sandboxed=evidence.sandboxed,
        verdict=judgement.verdict,
        op=op,
        defect_kind=_defect_kind(judgement.oracle, chosen),
        symptom=chosen[0].kind if judgement.oracle is OracleKind.DIVERGENCE else judgement.oracle,
        sibling=chief.sibling if chief else "",
        also=tuple(sorted({_spelled(one) for one in named} - {_spelled(one) for one in chosen})),
        dtypes=tuple(sorted({one.dtype for one in chosen})),
        divergences=tuple(chosen),
    )


def _spelled(one: Divergence) -> str:
    return f"{one.op}({one.sibling})" if one.sibling else one.op


def plainest(divergences: Sequence[Divergence]) -> list[Divergence]:
    """One divergence a dtype: an exact expectation first, then the farthest; stable order."""

    def plainness(one: Divergence) -> tuple[bool, float]:
        return (not one.expected_representable, -(one.ulps or 0.0))

    best: dict[str, Divergence] = {}
    for one in divergences:
        held = best.get(one.dtype)
        if held is None or plainness(one) < plainness(held):
            best[one.dtype] = one
    return list(best.values())


_DEFECTS = {
    DivergenceKind.NAN_INF: DefectKind.NAN,
    DivergenceKind.ERROR_MISSING: DefectKind.MISSING_CHECK,
    DivergenceKind.ERROR_EXTRA: DefectKind.CRASH,
    DivergenceKind.SHAPE: DefectKind.DTYPE_SHAPE,
    DivergenceKind.DTYPE: DefectKind.DTYPE_SHAPE,
    DivergenceKind.STRIDE: DefectKind.DTYPE_SHAPE,
    DivergenceKind.DEVICE: DefectKind.DTYPE_SHAPE,
    DivergenceKind.NONDETERMINISTIC: DefectKind.DETERMINISM,
}


def _defect_kind(oracle: OracleKind, chosen: Sequence[Divergence]) -> DefectKind:
    """What the run itself shows to be wrong."""
    if oracle is OracleKind.CRASH:
        return DefectKind.CRASH
    for kind, defect in _DEFECTS.items():
        if any(one.kind is kind for one in chosen):
            return defect
    controls = [one.control for one in chosen if one.control]
    if controls and all(control.exact for control in controls):
        return DefectKind.PRECISION
    return DefectKind.SILENT_WRONG_RESULT
