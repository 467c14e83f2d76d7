"""The register: what findings are looked for in, the target's tracker and what people said of earlier matches."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.model import (
    Absent,
    Case,
    Decision,
    DecisionKind,
    Finding,
    ItemKind,
    ItemState,
    Matches,
    Nearness,
    RunEvidence,
    Skips,
    rfc3339,
)
from bot.seams import Decisions, KnownTracker
from bot.stages.dedupe import matches
from bot.stages.fresh import built_on
from bot.stages.trace import Trace, trace
from bot.stages.vocabulary import Vocabulary
from bot.stages.wanted import wanted


@dataclass
class Register:
    """Searched for each finding of a scan. The tracker is read when it is first asked, and once."""

    repo: str
    """Whose tracker it is."""
    tracker: KnownTracker
    vocabulary: Vocabulary
    decisions: Decisions
    skips: Skips = field(default_factory=Skips)
    refresh: Callable[[], str] = str
    """Brings the tracker up to date; tells why it could not, else nothing. No finding has to wait for it."""
    _stale: str | None = None
    _traces: Sequence[Trace] | None = None

    def search(self, case: Case, finding: Finding) -> Matches | Absent:
        """What is known about a finding; Absent, with the reason, where the tracker was never read whole.

        Raises StoreError, or InputError for an archive that can't be read.
        """
        if self._stale is None:
            self._stale = self.refresh()
        state = self.tracker.state(self.repo)
        if state.as_of is None:
            partly = "has not been read to its end yet" if state.begun_at else "has not been read"
            why = f": {self._stale}" if self._stale else ""
            return Absent(absent=f"no tracker was searched: that of {self.repo} {partly}{why}")
        if self._traces is None:
            self._traces = [trace(item, self.vocabulary) for item in self.tracker.items(self.repo)]
        said = self.said(finding)
        built = built_on(case.evidence) if isinstance(case.evidence, RunEvidence) else None
        search = wanted(case, finding, self.repo)
        told = matches(search, self._traces, self.repo, state.as_of, built, self.skips, cleared(said, self._traces))
        return self._decided(told, said)

    def apart(self, finding: Finding) -> bool:
        """Did a person say last that it is no duplicate?"""
        said = self.said(finding)
        return bool(said) and said[-1].kind is DecisionKind.UNDUPLICATE

    def said(self, finding: Finding) -> list[Decision]:
        """What people said of whether it is a duplicate, oldest first."""
        kinds = (DecisionKind.DUPLICATE, DecisionKind.UNDUPLICATE)
        return [one for one in self.decisions.history().get(finding.fingerprint, ()) if one.kind in kinds]

    def _decided(self, told: Matches, said: Sequence[Decision]) -> Matches:
        """The matches, with a person's word before all that was found."""
        if not said or said[-1].kind is not DecisionKind.DUPLICATE or said[-1].of is None:
            return told
        last = said[-1]
        by = f"{last.by or 'a maintainer'} on {rfc3339(last.decided_at)[:10]}"
        item = next((one.item for one in self._traces or () if one.item.number == last.of), None)
        exact = Nearness(
            number=int(last.of or 0),
            score=1.0,
            exact=True,
            reasons=(f"{by}: {last.reason}",),
            kind=item.kind if item else ItemKind.ISSUE,
            title=item.title if item else "",
            state=item.state if item else ItemState.OPEN,
        )
        why = f"it was told before as #{last.of}, says {by}: {last.reason}"
        near = tuple(one for one in told.near if one.number != last.of)
        fresh = {"exact": exact, "near": near, "suppressed": why, "look_again_days": None, "recurs": None}
        return told.model_copy(update=fresh)


def cleared(said: Sequence[Decision], traces: Sequence[Trace]) -> frozenset[int]:
    """Numbers of which a person said that they are not it; all that were opened by then where none was named."""
    apart: set[int] = set()
    for one in said:
        if one.kind is DecisionKind.DUPLICATE:
            apart -= {one.of} if one.of is not None else set()
        elif one.of is not None:
            apart.add(one.of)
        else:
            apart |= {each.item.number for each in traces if _opened_by(each, one.decided_at)}
    return frozenset(apart)


def _opened_by(one: Trace, moment: datetime) -> bool:
    return one.item.created_at is None or one.item.created_at <= moment


def link_of(matches: Matches) -> str:
    """The address of the exact match."""
    assert matches.exact is not None  # noqa: S101  only a match is linked
    folder = "pull" if matches.exact.kind == "pull" else "issues"
    return f"https://github.com/{matches.repo}/{folder}/{matches.exact.number}"
