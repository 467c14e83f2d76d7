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
from bot.stages.judge import lasting, related

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
    """The finding of a confirmed case, else a Drop with the judgement's sentence."""
    if judgement.bucket is not Bucket.CONFIRMED:
        days = LOOK_AGAIN_DAYS[judgement.bucket]
        ends = judgement.verdict is Verdict.NON_ISSUE
        kind = OutcomeKind.DROPPED if ends else OutcomeKind.WATCHED
        return Drop(reason=f"{judgement.bucket}: {judgement.why}", kind=kind, look_again_after_days=days)
    chosen = plainest([one for one in lasting(evidence) if not ruling.ops or related(one.op, ruling.ops)])
    op = chosen[0].op if chosen else (ruling.ops[0] if ruling.ops else "unknown operator")
    return Finding(
        target=evidence.device.type,
        simulated=evidence.device.simulated,
        op=op,
        defect_kind=_defect_kind(ruling, chosen),
        symptom=chosen[0].kind if judgement.oracle is OracleKind.DIVERGENCE else judgement.oracle,
        dtypes=tuple(sorted({one.dtype for one in chosen if one.op == op})),
        divergences=tuple(one for one in chosen if one.op == op),
    )


def plainest(divergences: Sequence[Divergence]) -> list[Divergence]:
    """One divergence a dtype of each operator: an exact expectation first, then the farthest; stable order."""

    def plainness(one: Divergence) -> tuple[bool, float]:
        return (not one.expected_representable, -(one.ulps or 0.0))

    best: dict[tuple[str, str], Divergence] = {}
    for one in divergences:
        held = best.get((one.op, one.dtype))
        if held is None or plainness(one) < plainness(held):
            best[one.op, one.dtype] = one
    return list(best.values())


def _defect_kind(ruling: Ruling, chosen: Sequence[Divergence]) -> DefectKind:
    """What the evidence shows where it is plain, else what the item says."""
    if any(one.kind is DivergenceKind.NAN_INF for one in chosen):
        return DefectKind.NAN
    controls = [one.control for one in chosen if one.kind is DivergenceKind.VALUE and one.control]
    if controls and all(control.exact for control in controls):
        return DefectKind.PRECISION
    if chosen and ruling.defect_kind is DefectKind.NONE:
        return DefectKind.SILENT_WRONG_RESULT
    return ruling.defect_kind
