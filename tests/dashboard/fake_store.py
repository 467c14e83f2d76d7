"""A store of plain lists that keeps the Protocol's promises."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from bot.model import Case, Draft, Finding, FrozenHeads, Item, OutcomeKind, Window, WindowSummary


class Kept(NamedTuple):
    """An item of a window."""

    item: Item
    listed: Item
    """As it was before its details were asked for."""
    detailed: bool = False
    outside: bool = False


class FakeStore:
    """Keeps items, cases, findings and scans; counts are worked out. Attempts are forgotten: no page shows them."""

    def __init__(self, cases: Sequence[Case] = ()) -> None:
        self._items: dict[str, dict[str, Kept]] = {}
        self._cases: dict[str, Case] = {}
        self._findings: dict[str, Case] = {}
        self._scans: dict[tuple[str, str], WindowSummary] = {}
        for case in cases:
            self.save_items(case.window, [*self.items(case.window), *case.items])
            self.begin_scan(case.window, case.device, case.heads)
            self.save_case(case, case.window.end)

    def save_items(self, window: Window, items: Iterable[Item]) -> None:
        """Keep these, those from outside, and what is known of those that say the same."""
        told = {item.key: Kept(item, item) for item in items}
        before = self._items.get(str(window), {})
        outside = {key: kept for key, kept in before.items() if kept.outside}
        same = {
            key: before[key]._replace(outside=False)
            for key, kept in told.items()
            if key in before and kept.item in (before[key].item, before[key].listed)
        }
        self._items[str(window)] = outside | told | same

    def undetailed(self, window: Window, keys: Iterable[str]) -> list[str]:
        """By their marks."""
        kept = self._items.get(str(window), {})
        return [key for key in keys if key in kept and not kept[key].detailed]

    def save_details(self, window: Window, kept: Collection[str], items: Iterable[Item]) -> None:
        """Mark the kept ones; of the others keep what the window doesn't list and what has changed."""
        rows = dict(self._items.get(str(window), {}))
        for item in items:
            before = rows.get(item.key)
            if item.key in kept:
                if before is not None:
                    rows[item.key] = before._replace(item=item, detailed=True)
            elif before is None or (before.outside and item not in (before.item, before.listed)):
                rows[item.key] = Kept(item, item, outside=True)
        self._items[str(window)] = rows

    def forget_items(self, window: Window, keys: Iterable[str]) -> None:
        """Remove them."""
        gone = set(keys)
        rows = self._items.get(str(window), {})
        self._items[str(window)] = {key: kept for key, kept in rows.items() if key not in gone}

    def items(self, window: Window, keys: Iterable[str] | None = None) -> Iterator[Item]:
        """In their order."""
        rows = self._items.get(str(window), {})
        return iter([rows[key].item for key in (sorted(rows) if keys is None else keys) if key in rows])

    def begin_scan(self, window: Window, device: str, heads: FrozenHeads) -> None:
        """Keep that it runs."""
        self._scans[str(window), device] = WindowSummary(
            window=window, device=device, heads=heads, items=0, cases=0, outcomes={}, state="running"
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
        """Put it in the place of the same case; its finding too, unless another case holds one as strong."""
        self._cases[case.key] = case
        if case.outcome and case.outcome.kind is OutcomeKind.FINDING and isinstance(case.finding, Finding):
            fingerprint = case.finding.fingerprint
            held = self._findings[fingerprint].finding if self.owner_of(fingerprint) not in (None, case.key) else None
            stronger = not isinstance(held, Finding) or held.strength < case.finding.strength
            if isinstance(case.draft, Draft) and stronger:
                self._findings[fingerprint] = case

    def retire(self, window: Window, device: str, leaders: Collection[str], now: datetime) -> None:
        """Forget the others; their findings stay."""
        for case in self.cases(window, device):
            if case.leader.key not in leaders:
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
        items = len(self._items.get(str(scan.window), {}))
        return scan.model_copy(update={"items": items, "cases": len(cases), "outcomes": dict(outcomes)})
