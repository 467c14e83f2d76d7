"""window_report: a window for people: how its items came down to findings, what that took, and what waits for whom."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bot.model import (
    Absent,
    Case,
    Decision,
    Draft,
    Finding,
    Outcome,
    OutcomeKind,
    Port,
    Reading,
    Reproducer,
    RunEvidence,
    WindowSummary,
    rfc3339,
)
from bot.stages.report import entries_of
from bot.stages.verdicts import of_all


def window_facts(
    summary: WindowSummary,
    reading: Reading | None,
    cases: Sequence[Case],
    history: Mapping[str, Sequence[Decision]],
    filed: Mapping[str, str],
) -> dict[str, Any]:
    """Everything that a report tells. `history` and `filed` (what became of its issue) are by fingerprint."""
    entries = [entry for case in cases for entry in entries_of(case, {})]
    entries.sort(key=lambda one: (one["repo"], str(one["number"]).zfill(12)))
    return {
        "window": str(summary.window),
        "device": summary.device,
        "state": summary.state,
        "heads": summary.heads.as_json(),
        "reading": {"state": reading.state.value, "why": reading.why} if reading else None,
        "funnel": _funnel(cases),
        "outcomes": dict(sorted(Counter(entry["outcome"] for entry in entries).items())),
        "costs": _costs(cases),
        "findings": [_finding(case, history, filed) for case in cases if isinstance(case.draft, Draft)],
        "waiting": [_waiting(case) for case in cases if _waits(case)],
        "items": entries,
    }


def _funnel(cases: Sequence[Case]) -> list[dict[str, Any]]:
    """How many cases came how far, in order."""
    steps = (
        ("items", sum(len(case.items) for case in cases)),
        ("upstream changes", len(cases)),
        ("candidates", sum(case.ruling.candidate for case in cases)),
        ("with a runnable script", sum(isinstance(case.reproducer, Reproducer) for case in cases)),
        ("ported whole", sum(isinstance(case.port, Port) and not isinstance(case.evidence, Absent) for case in cases)),
        ("ran on the device", sum(isinstance(case.evidence, RunEvidence) for case in cases)),
        ("findings", sum(isinstance(case.draft, Draft) for case in cases)),
        ("that may be filed", sum(isinstance(case.draft, Draft) and case.draft.fileable for case in cases)),
    )
    return [{"step": name, "count": count} for name, count in steps]


def _costs(cases: Sequence[Case]) -> dict[str, Any]:
    """What the device was busy with."""
    runs = [record for case in cases if isinstance(case.evidence, RunEvidence) for record in case.evidence.runs]
    return {
        "processes": len(runs),
        "device_s": round(sum(record.duration_s for record in runs), 1),
        "calls_compared": sum(record.checked for record in runs),
    }


def _finding(case: Case, history: Mapping[str, Sequence[Decision]], filed: Mapping[str, str]) -> dict[str, Any]:
    assert isinstance(case.finding, Finding)  # noqa: S101  a draft is made of one
    assert isinstance(case.draft, Draft)  # noqa: S101
    said = history.get(case.finding.fingerprint, ())
    ran = case.evidence
    return {
        "fingerprint": case.finding.fingerprint,
        "title": case.draft.title,
        "op": case.finding.op,
        "defect_kind": case.finding.defect_kind.value,
        "fileable": case.draft.fileable,
        "upstream": [item.key for item in case.items],
        "why": case.judgement.why if case.judgement else "",
        "shown_in": of_all(ran.runs, ran) if isinstance(ran, RunEvidence) else None,
        "decision": f"{said[-1].kind.value}: {said[-1].reason}" if said else None,
        "filed": filed.get(case.finding.fingerprint),
    }


def _waits(case: Case) -> bool:
    """Will it be looked at again?"""
    held = case.outcome is None or case.outcome.kind is OutcomeKind.HELD
    return held or (case.outcome is not None and case.outcome.look_again_at is not None)


def _waiting(case: Case) -> dict[str, Any]:
    outcome = case.outcome or Outcome(kind=OutcomeKind.HELD, stage="scan", reason="its stages have not all answered")
    return {
        "item": case.leader.key,
        "title": case.leader.title,
        "outcome": outcome.kind.value,
        "reason": outcome.reason,
        "look_again_at": rfc3339(outcome.look_again_at) if outcome.look_again_at else None,
    }
