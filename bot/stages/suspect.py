"""suspect: a finding from source alone, where nothing can be run and the target has the form that upstream changed."""

from bot.model import (
    Absent,
    Bucket,
    ChangeKind,
    DefectKind,
    Drop,
    Finding,
    Judgement,
    OracleKind,
    OutcomeKind,
    SourceEvidence,
    UpstreamChange,
    Verdict,
)
from bot.stages.changed import suspicions
from bot.stages.verdicts import judgement

DEFECTS = {
    ChangeKind.WIDENED_ACCUMULATOR: DefectKind.PRECISION,
    ChangeKind.WIDENED_INDEX: DefectKind.OVERFLOW,
    ChangeKind.ADDED_CHECK: DefectKind.MISSING_CHECK,
    ChangeKind.EMPTY_INPUT: DefectKind.CRASH,
    ChangeKind.BOUNDS_GUARD: DefectKind.MEMORY_ERROR,
    ChangeKind.NAN_KEPT: DefectKind.NAN,
    ChangeKind.DETERMINISM_ALERT: DefectKind.DETERMINISM,
    ChangeKind.MORE_DTYPES: DefectKind.DTYPE_SHAPE,
    ChangeKind.INITIALISED_OUTPUT: DefectKind.SILENT_WRONG_RESULT,
}
"""What the old form leads to."""
LOOK_AGAIN_DAYS = 7


def suspected(nothing_ran: str, source: SourceEvidence | Absent | None) -> Judgement | None:
    """What is judged where nothing ran, from source; None where source says nothing either."""
    found = suspicions(source.changes) if isinstance(source, SourceEvidence) else []
    if not found:
        return None
    why = f"nothing ran ({nothing_ran}); {found[0].why}"
    return judgement(Bucket.BLOCKED_SCRIPT_ERROR, Verdict.VERIFICATION_GAP, OracleKind.SOURCE, why)


def found_in_source(source: SourceEvidence, target: str, *, simulated: bool) -> Finding | Drop:
    """The finding of the first suspicion whose operator is known."""
    for change in suspicions(source.changes):
        op = operator_of(change, source)
        if op:
            return Finding(
                target=target,
                simulated=simulated,
                op=op,
                defect_kind=DEFECTS[change.kind],
                symptom=OracleKind.SOURCE,
            )
    reason = "the target has the form that upstream changed, but which operator comes to it is not known"
    return Drop(reason=reason, kind=OutcomeKind.WATCHED, look_again_after_days=LOOK_AGAIN_DAYS)


def operator_of(change: UpstreamChange, source: SourceEvidence) -> str | None:
    """The operator that comes to a place with the old form: one of the case's, else the nearest."""
    return next((one.op for one in source.dispatch if one.op in change.ops), next(iter(change.ops), None))
