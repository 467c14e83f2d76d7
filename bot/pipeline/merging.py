"""Merging: which earlier finding of ours is the same defect, and what is said of a case that is told already.

What may be filed is never merged into what may not: the stronger of two findings speaks for the defect.
"""

from datetime import datetime, timedelta

from bot.model import Case, Finding, Matches, Outcome, OutcomeKind
from bot.pipeline.line import Line
from bot.pipeline.register import link_of
from bot.stages.prints import known_as


def same_defect(case: Case, finding: Finding, line: Line) -> Case | None:
    """The case of the same defect that this one is merged into; None where this one speaks for it.

    Another fingerprint of the same defect counts only until a person says that they are two.
    """
    own = finding.fingerprint
    apart = line.register is not None and line.register.apart(finding)
    for fingerprint in (own, *sorted(() if apart else known_as(finding) - {own})):
        owner = line.store.owner_of(fingerprint)
        other = line.store.load_case(owner) if owner not in (None, case.key) else None
        if other is not None and _strength(other) >= finding.strength:
            return other
    return None


def _strength(case: Case) -> tuple[bool, bool]:
    """Of the finding that a case holds; one that is being followed anew showed it once, and may not be filed now."""
    return case.finding.strength if isinstance(case.finding, Finding) else (False, True)


def print_of(case: Case) -> str:
    """The fingerprint of a case that has a finding."""
    return case.finding.fingerprint if isinstance(case.finding, Finding) else ""


def told_before(matches: Matches, stage: str, now: datetime) -> Outcome:
    """The outcome of a finding that the tracker has already; asked again when a newer build may tell more."""
    days = matches.look_again_days
    again = (now + timedelta(days=days)).replace(hour=0, minute=0, second=0, microsecond=0) if days else None
    reason = f"{link_of(matches)}: {matches.suppressed}"
    return Outcome(kind=OutcomeKind.MERGED, stage=stage, reason=reason, look_again_at=again)
