"""What the pages show, worked out from the values of the store: rows, standings, gaps. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bot.dashboard.links import finding_url
from bot.model import Absent, Case, Divergence, Draft, Finding, Item, OutcomeKind, RunEvidence

IN_PROGRESS = "in progress"
"""What the ledger says of a case whose stages have not all answered."""

_STAGES = ("reproducer", "port", "evidence", "finding", "draft")


class Standing(NamedTuple):
    """Whether a finding may become an issue, and in what words."""

    fileable: bool
    device: str
    why: str


class FindingRow(NamedTuple):
    """One finding of the list."""

    finding: Finding
    draft: Draft
    case: Case
    standing: Standing
    divergences: tuple[Divergence, ...]


class LedgerRow(NamedTuple):
    """One upstream item of a window; `leader` is set where another item speaks for it."""

    item: Item
    case: Case
    leader: Item | None
    outcome: str
    finding_url: str | None


def standing(finding: Finding, draft: Draft) -> Standing:
    """What the model decided, in words."""
    device = f"simulated {finding.target}" if finding.simulated else finding.target
    if draft.fileable:
        return Standing(True, device, "fileable: run on a real XPU, in the sandbox, and wrong there")
    return Standing(False, device, f"not fileable: {_objection(finding)}")


def _objection(finding: Finding) -> str:
    if finding.simulated:
        return "a simulated device proves nothing about a real one"
    if finding.target != "xpu":
        return f"evidence from {finding.target} proves nothing about XPU"
    if not finding.sandboxed:
        return "a script that ran outside the sandbox may have met anything"
    if not finding.fileable:
        return f"the verdict is {finding.verdict}"
    return "the draft was held back"


def finding_rows(findings: Iterable[tuple[Finding, Draft, Case]]) -> list[FindingRow]:
    """A row for each finding, in the order given."""
    return [
        FindingRow(finding, draft, case, standing(finding, draft), finding.divergences or plainest(case.evidence))
        for finding, draft, case in findings
    ]


def plainest(evidence: RunEvidence | Absent | None) -> tuple[Divergence, ...]:
    """The first divergence of each dtype, where a finding quotes none itself."""
    if not isinstance(evidence, RunEvidence):
        return ()
    first: dict[str, Divergence] = {}
    for divergence in evidence.divergences:
        first.setdefault(divergence.dtype, divergence)
    return tuple(first.values())


def ledger_rows(cases: Iterable[Case]) -> list[LedgerRow]:
    """Every item of the cases, each leader before the items that it speaks for."""
    return [
        LedgerRow(item, case, None, outcome_word(case), _page_of(case))
        if item is case.leader
        else LedgerRow(item, case, case.leader, OutcomeKind.MERGED.value, _page_of(case))
        for case in cases
        for item in case.items
    ]


def outcome_word(case: Case) -> str:
    """The case's outcome, or IN_PROGRESS."""
    return case.outcome.kind.value if case.outcome else IN_PROGRESS


def outcome_counts(rows: Sequence[LedgerRow]) -> list[tuple[str, int]]:
    """Items by outcome, in the vocabulary's order, without those that no item has."""
    counts = Counter(row.outcome for row in rows)
    return [(word, counts[word]) for word in (*OutcomeKind, IN_PROGRESS) if counts[word]]


def absences(case: Case) -> list[tuple[str, str]]:
    """The stages that looked and found nothing, with what they said."""
    fields = ((stage, getattr(case, stage)) for stage in _STAGES)
    return [(stage, content.absent) for stage, content in fields if isinstance(content, Absent)]


def _page_of(case: Case) -> str | None:
    """A finding has a page once it is drafted; a merged one shares the page of the case that it went into."""
    if not isinstance(case.finding, Finding):
        return None
    merged = case.outcome is not None and case.outcome.kind is OutcomeKind.MERGED
    return finding_url(case.finding.fingerprint) if merged or isinstance(case.draft, Draft) else None
