"""title: what a finding is, in one line that a list of issues shows."""

from bot.model import DefectKind, Divergence, DivergenceKind, Finding, OracleKind, Target
from bot.stages.markup import numbers

LIMIT = 120
SAYS: dict[str, str] = {
    DivergenceKind.VALUE: "gives a wrong result",
    DivergenceKind.NAN_INF: "gives a wrong NaN or infinity",
    DivergenceKind.DTYPE: "gives a wrong dtype",
    DivergenceKind.SHAPE: "gives a wrong shape",
    DivergenceKind.STRIDE: "gives wrong strides",
    DivergenceKind.DEVICE: "gives a result on another device",
    DivergenceKind.ERROR_MISSING: "accepts what must raise",
    DivergenceKind.ERROR_EXTRA: "raises where it must not",
    DivergenceKind.NONDETERMINISTIC: "gives other results each time",
    OracleKind.ASSERTION: "fails the reproducer's assertion",
    OracleKind.CRASH: "crashes or hangs",
    OracleKind.SOURCE: "has the form that upstream changed",
}
"""What each symptom is called; precision alone has a better word."""


def title_of(finding: Finding, target: Target, *, silent: bool) -> str:
    """`[xpu-alignment] operator: dtype defect, values`, at most 120 characters, never cut within a word.

    An operator whose name leaves no room is told in the body alone. Evidence that may not be filed says so first.
    `silent`: every repeat of the script ended with exit code 0.
    """
    marks = "[xpu-alignment]" if finding.fileable else f"[xpu-alignment] [{where_of(finding, target)}, not for filing]"
    says = SAYS[finding.symptom]
    if finding.symptom == DivergenceKind.VALUE:
        says = "loses precision" if finding.defect_kind is DefectKind.PRECISION else says
        says += " silently" if silent else ""
    stem = f"{marks} {finding.op}:"
    full = f"{stem} {', '.join(finding.dtypes)} {says}" if finding.dtypes else f"{stem} {says}"
    values = worst(finding.divergences[0]) if finding.divergences else ""
    texts = (f"{full}, {values}" if values else full, full, f"{stem} {says}")
    return next((text for text in texts if len(text) <= LIMIT), f"{marks} an operator {says}")


def where_of(finding: Finding, target: Target) -> str:
    """`XPU`, `CPU run`, `simulated XPU`, `XPU, unconfirmed`: where the evidence comes from."""
    if finding.simulated:
        return f"simulated {target.title}"
    if finding.target != "xpu":
        return f"{target.title} run"
    if not finding.sandboxed:
        return f"{target.title} without sandbox"
    return target.title if finding.fileable else f"{target.title}, unconfirmed"


def worst(divergence: Divergence) -> str:
    """`256 for 2048`: the first value shown that is off."""
    if divergence.kind not in (DivergenceKind.VALUE, DivergenceKind.NAN_INF):
        return ""
    pairs = zip(divergence.observed or (), divergence.expected or (), strict=False)
    off = [(mine, theirs) for mine, theirs in pairs if mine != theirs]
    return f"{numbers(off[0][0])} for {numbers(off[0][1])}" if off else ""
