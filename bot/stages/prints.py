"""prints: by which fingerprints a finding may be known already, and which of two findings speaks for the defect.

A finding from source alone, a failed assertion and a measured divergence may be one and the same defect; two different
symptoms that were both measured are two defects, until a person says otherwise: a merge that is wrong hides a fault.
"""

from collections.abc import Iterable

from bot.model import DivergenceKind, Finding, OracleKind

VAGUE = frozenset((OracleKind.SOURCE.value, OracleKind.ASSERTION.value))
"""Symptoms that don't say what is wrong with the result."""
SYMPTOMS = (*(kind.value for kind in DivergenceKind), OracleKind.ASSERTION.value, OracleKind.CRASH.value,
            OracleKind.SOURCE.value)  # fmt: skip


def known_as(finding: Finding) -> frozenset[str]:
    """Its own fingerprint, and those of the same operator, kind and kernel whose symptom may be the same one."""
    symptoms = SYMPTOMS if finding.symptom in VAGUE else (finding.symptom, *VAGUE)
    return _prints(finding, symptoms, finding.sibling)


def akin_to(finding: Finding) -> frozenset[str]:
    """Further ones of the same operator and kind: of other symptoms, or from source, which names no kernel."""
    return (_prints(finding, SYMPTOMS, finding.sibling) | _prints(finding, SYMPTOMS, "")) - known_as(finding)


def superseded(findings: Iterable[Finding]) -> dict[str, str]:
    """Fingerprint of a finding that may not be filed -> that of a fileable one of the same defect, where there is one.

    Devices, real and simulated, sandboxed or not, make different fingerprints; the defect is one.
    """
    known = list(findings)
    filed: dict[tuple[str, str, str], list[Finding]] = {}
    for one in known:
        if one.fileable:
            filed.setdefault(_defect(one), []).append(one)
    found: dict[str, str] = {}
    for one in known:
        others = [] if one.fileable else filed.get(_defect(one), [])
        told = sorted(other.fingerprint for other in others if _same_symptom(one, other))
        if told:
            found[one.fingerprint] = told[0]
    return found


def _same_symptom(one: Finding, other: Finding) -> bool:
    return one.symptom == other.symptom or not VAGUE.isdisjoint((one.symptom, other.symptom))


def _defect(finding: Finding) -> tuple[str, str, str]:
    return finding.op.rstrip("_"), finding.defect_kind.value, finding.sibling


def _prints(finding: Finding, symptoms: Iterable[str], sibling: str) -> frozenset[str]:
    """Fingerprints with these symptoms: of the run as it was, and as the same device itself would show it."""
    real = {"simulated": False, "sandboxed": True}
    own = {"simulated": finding.simulated, "sandboxed": finding.sandboxed}
    return frozenset(
        finding.model_copy(update={"symptom": symptom, "sibling": sibling, **run}).fingerprint
        for symptom in symptoms
        for run in (own, real)
    )
