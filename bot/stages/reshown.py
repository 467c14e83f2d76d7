"""reshown: what a finding's reproducer shows when it is run again: the same fault, none, or nothing that tells."""

from datetime import datetime

from bot.model import (
    Bucket,
    Build,
    Case,
    Finding,
    Observation,
    Oracle,
    OracleKind,
    Reproducer,
    RunEvidence,
)
from bot.stages.find import find
from bot.stages.fresh import built_on
from bot.stages.judge import judge, lasting
from bot.stages.measured import measured


def build_of(evidence: RunEvidence) -> Build:
    """The build that a run was made with."""
    told = {name: evidence.environment.get(name) for name in ("torch", "torch_git")}
    names = {name: text for name, text in told.items() if isinstance(text, str) and text}
    return Build(version=names.get("torch", "unknown"), day=built_on(evidence), git=names.get("torch_git", ""))


def observed(finding: Finding, case: Case, evidence: RunEvidence, now: datetime) -> Observation:
    """What this run of its reproducer says of a finding."""
    shows, why = _shows(finding, case, evidence)
    return Observation(
        fingerprint=finding.fingerprint,
        build=build_of(evidence),
        shows=shows,
        why=why,
        at=now,
        simulated=evidence.device.simulated,
    )


def _shows(finding: Finding, case: Case, evidence: RunEvidence) -> tuple[bool | None, str]:
    oracle = case.reproducer.oracle if isinstance(case.reproducer, Reproducer) else Oracle(kind=OracleKind.NONE)
    judged = measured(judge(evidence, case.ruling.ops), oracle, finding.target)
    if judged.bucket is Bucket.NOT_REPRODUCED:
        return False, judged.why
    if judged.bucket is not Bucket.CONFIRMED:
        return None, f"{judged.bucket.value}: {judged.why}"
    again = find(case.ruling, evidence, judged)
    same = isinstance(again, Finding) and (again.op, again.symptom) == (finding.op, finding.symptom)
    if same or any((one.op, one.kind) == (finding.op, finding.symptom) for one in lasting(evidence)):
        return True, judged.why
    return None, f"it shows something else now: {judged.why}"
