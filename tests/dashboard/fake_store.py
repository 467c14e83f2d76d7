"""A store of plain lists that keeps the Protocol's promises."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime

from bot.model import Case, Draft, Finding, FrozenHeads, Item, OutcomeKind, Window, WindowSummary


class FakeStore:
    """Keeps cases, findings and scans; counts are worked out from them. Attempts are forgotten: no page shows them."""

    def __init__(self, cases: Sequence[Case] = ()) -> None:
        self._cases: dict[str, Case] = {}
        self._findings: dict[str, Case] = {}
        self._scans: dict[tuple[str, str], WindowSummary] = {}
        for case in cases:
            known = [other for other in self.cases(case.window, case.device) if other.key != case.key]
            items = [item for other in (*known, case) for item in other.items]
            self.save_items(case.window, case.device, case.heads, items)
            self.save_case(case, case.window.end)

    def save_items(self, window: Window, device: str, heads: FrozenHeads, items: Sequence[Item]) -> None:
        """Keep their number by window and device."""
        self._scans[str(window), device] = WindowSummary(
            window=window, device=device, heads=heads, items=len(items), cases=0, outcomes={}, state="running"
        )

    def finish_scan(self, window: Window, device: str, state: str) -> None:
        """Keep the state."""
        scan = self._scans[str(window), device]
        self._scans[str(window), device] = scan.model_copy(update={"state": state})

    def load_case(self, key: str) -> Case | None:
        """Look it up."""
        return self._cases.get(key)

    def start_case(self, case: Case, now: datetime) -> None:
        """Put it in the place of the same case."""
        self.save_case(case, now)

    def save_case(self, case: Case, now: datetime) -> None:
        """Put it in the place of the same case; its finding too, unless another case holds that."""
        self._cases[case.key] = case
        if case.outcome and case.outcome.kind is OutcomeKind.FINDING and isinstance(case.finding, Finding):
            fingerprint = case.finding.fingerprint
            if isinstance(case.draft, Draft) and self.owner_of(fingerprint) in (None, case.key):
                self._findings[fingerprint] = case

    def retire(self, window: Window, device: str, present: Collection[str], now: datetime) -> None:
        """Forget the others; their findings stay."""
        for case in self.cases(window, device):
            if case.key not in present:
                del self._cases[case.key]

    def cases(self, window: Window, device: str) -> list[Case]:
        """Pick by window and device."""
        found = [case for case in self._cases.values() if case.window == window and case.device == device]
        return sorted(found, key=lambda case: case.leader.order)

    def owner_of(self, fingerprint: str) -> str | None:
        """Its case, while there is that case."""
        case = self._findings.get(fingerprint)
        return case.key if case and case.key in self._cases else None

    def findings(self) -> list[tuple[Finding, Draft, Case]]:
        """As they were saved."""
        found = [
            (case.finding, case.draft, case)
            for case in self._findings.values()
            if isinstance(case.finding, Finding) and isinstance(case.draft, Draft)
        ]
        return sorted(found, key=lambda one: (-one[2].window.start.timestamp(), one[0].fingerprint))

    def windows(self) -> list[WindowSummary]:
        """Count the cases of each scan."""
        scans = sorted(self._scans.values(), key=lambda scan: (scan.window.start, scan.device), reverse=True)
        return [self._counted(scan) for scan in scans]

    def _counted(self, scan: WindowSummary) -> WindowSummary:
        cases = self.cases(scan.window, scan.device)
        outcomes = Counter(case.outcome.kind for case in cases if case.outcome)
        return scan.model_copy(update={"cases": len(cases), "outcomes": dict(outcomes)})
