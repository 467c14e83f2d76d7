"""The store: SQLite (or any SQLAlchemy database) through SQLModel. Every change is one transaction."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from pathlib import Path

from sqlmodel import Session, col, func, select

from bot.edges import item_rows
from bot.edges.schema import connected, upgrade
from bot.edges.tables import AttemptRow, CaseRow, FindingRow, ItemRow, ScanRow
from bot.edges.transactions import ours, read, stamp, writing
from bot.model import Case, Draft, Finding, FrozenHeads, Item, OutcomeKind, Window, WindowSummary
from bot.seams import StoreError

__all__ = ["SqlStore", "ours", "stamp", "writing"]


class SqlStore:
    """A Store. Opening it brings the schema up to date; closing it frees the file."""

    def __init__(self, place: str | Path) -> None:
        self.engine = connected(place)
        try:
            upgrade(self.engine)
        except StoreError:
            self.engine.dispose()
            raise

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()

    @ours
    def save_items(self, window: Window, items: Iterable[Item]) -> None:
        """Remember a window's items, these and no others, in one transaction that begins once all are there."""
        item_rows.save_listing(self.engine, window, items)

    @ours
    def undetailed(self, window: Window, keys: Iterable[str]) -> list[str]:
        """Those whose details were not asked for yet."""
        return item_rows.undetailed(self.engine, window, keys)

    @ours
    def save_details(self, window: Window, kept: Collection[str], items: Iterable[Item]) -> None:
        """Remember the kept items' details and items from outside the window, in one transaction."""
        item_rows.save_details(self.engine, window, kept, items)

    @ours
    def forget_items(self, window: Window, keys: Iterable[str]) -> None:
        """Remove items, in one transaction."""
        item_rows.delete_items(self.engine, window, keys)

    def items(self, window: Window, keys: Iterable[str] | None = None) -> Iterator[Item]:
        """A window's items, read in chunks, ordered by key or as the keys are."""
        return item_rows.stream(self.engine, window, keys)

    def listed(self, window: Window) -> Iterator[Item]:
        """The items of the window's own listing: without those that are here only because of others."""
        return item_rows.stream(self.engine, window, None, outside=False)

    @ours
    def keys(self, window: Window) -> frozenset[str]:
        """The keys of a window's items."""
        with Session(self.engine) as session:
            return frozenset(session.exec(select(ItemRow.key).where(ItemRow.window == str(window))))

    @ours
    def begin_scan(self, window: Window, device: str, heads: FrozenHeads) -> None:
        """Say that a window's cases for a device are being followed."""
        with writing(self.engine) as session:
            scan = session.get(ScanRow, (str(window), device))
            if scan is None:
                scan = ScanRow(window=str(window), device=device, starts_at=stamp(window.start), state="running")
            scan.upstream_head, scan.target_head, scan.state = heads.upstream, heads.target, "running"
            session.add(scan)

    @ours
    def finish_scan(self, window: Window, device: str, state: str) -> None:
        """Say that every case of a scan has its outcome (`done`) or that some wait (`held`)."""
        with writing(self.engine) as session:
            scan = session.get(ScanRow, (str(window), device))
            if scan is not None:
                scan.state = state
                session.add(scan)

    @ours
    def load_case(self, key: str) -> Case | None:
        """The case as last saved."""
        with Session(self.engine) as session:
            row = session.get(CaseRow, key)
            return read(Case, key, row.document) if row else None

    @ours
    def start_case(self, case: Case, now: datetime) -> None:
        """Save a case that begins; what stood in its place becomes an attempt, in one transaction."""
        with writing(self.engine) as session:
            before = session.get(CaseRow, case.key)
            if before is not None:
                _keep_attempt(session, before, now)
            _put(session, case, now)

    @ours
    def save_case(self, case: Case, now: datetime) -> None:
        """Remember a case, and its finding with it, in one transaction."""
        with writing(self.engine) as session:
            _put(session, case, now)

    @ours
    def retire(self, window: Window, device: str, leaders: Collection[str], now: datetime) -> None:
        """Make attempts of the window's cases that other items lead, in one transaction."""
        chosen = select(CaseRow.key, CaseRow.leader).where(CaseRow.window == str(window), CaseRow.device == device)
        with writing(self.engine) as session:
            gone = [key for key, leader in session.exec(chosen) if leader not in leaders]
            for row in (session.get_one(CaseRow, key) for key in gone):
                _keep_attempt(session, row, now)
                session.delete(row)

    @ours
    def cases(self, window: Window, device: str) -> list[Case]:
        """A window's cases for a device, ordered by leader."""
        chosen = select(CaseRow).where(CaseRow.window == str(window), CaseRow.device == device)
        with Session(self.engine) as session:
            found = [read(Case, row.key, row.document) for row in session.exec(chosen)]
        return sorted(found, key=lambda case: case.leader.order)

    @ours
    def attempts(self, key: str) -> list[Case]:
        """What was known of a case each time that it began anew or was retired, oldest first."""
        chosen = select(AttemptRow).where(AttemptRow.case_key == key).order_by(col(AttemptRow.number))
        with Session(self.engine) as session:
            return [read(Case, f"{key}, attempt {row.number}", row.document) for row in session.exec(chosen)]

    @ours
    def owner_of(self, fingerprint: str) -> str | None:
        """The key of the case that holds a finding, while there is that case."""
        with Session(self.engine) as session:
            row = session.get(FindingRow, fingerprint)
            owner = session.get(CaseRow, row.case_key) if row else None
            return owner.key if owner else None

    @ours
    def found_at(self, fingerprint: str) -> datetime | None:
        """When a finding was first here; None for one that is not."""
        with Session(self.engine) as session:
            row = session.get(FindingRow, fingerprint)
            return datetime.fromisoformat(row.found_at) if row else None

    @ours
    def findings(self) -> list[tuple[Finding, Draft, Case]]:
        """All findings, newest window first."""
        with Session(self.engine) as session:
            cases = [read(Case, f"finding {row.fingerprint}", row.document) for row in session.exec(select(FindingRow))]
        found = [
            (case.finding, case.draft, case)
            for case in cases
            if isinstance(case.finding, Finding) and isinstance(case.draft, Draft)
        ]
        return sorted(found, key=lambda one: (-one[2].window.start.timestamp(), one[0].fingerprint))

    @ours
    def merged(self) -> list[Case]:
        """The cases whose finding was told before, newest window first."""
        chosen = select(CaseRow).where(CaseRow.outcome == OutcomeKind.MERGED.value)
        with Session(self.engine) as session:
            cases = [read(Case, row.key, row.document) for row in session.exec(chosen)]
        found = [case for case in cases if isinstance(case.finding, Finding)]
        return sorted(found, key=lambda case: (-case.window.start.timestamp(), case.key))

    @ours
    def windows(self) -> list[WindowSummary]:
        """Every scanned window with its counts, newest first."""
        with Session(self.engine) as session:
            scans = session.exec(select(ScanRow).order_by(col(ScanRow.starts_at).desc(), ScanRow.device)).all()
            return [_summary(session, scan) for scan in scans]


def _put(session: Session, case: Case, now: datetime) -> None:
    """Write a case into its row, and its finding into one of its own."""
    outcome = case.outcome
    row = session.get(CaseRow, case.key) or CaseRow(
        key=case.key,
        window=str(case.window),
        device=case.device,
        leader=case.leader.key,
        changed_at=stamp(now),
        document="",
    )
    row.outcome = outcome.kind if outcome else None
    row.look_again_at = stamp(outcome.look_again_at) if outcome and outcome.look_again_at else None
    row.changed_at, row.document = stamp(now), case.model_dump_json()
    session.add(row)
    if outcome and outcome.kind is OutcomeKind.FINDING:
        _put_finding(session, case, now)


def _put_finding(session: Session, case: Case, now: datetime) -> None:
    """The first case keeps a finding and may renew it; another one gets it when that case was retired, or when it is
    the stronger: what may be filed takes the place of what may not.
    """
    finding, draft = case.finding, case.draft
    if not (isinstance(finding, Finding) and isinstance(draft, Draft)):
        return
    row = session.get(FindingRow, finding.fingerprint)
    if row is not None and row.case_key != case.key and session.get(CaseRow, row.case_key) is not None:
        held = read(Case, f"finding {row.fingerprint}", row.document).finding
        if isinstance(held, Finding) and held.strength >= finding.strength:
            return
    row = row or FindingRow(
        fingerprint=finding.fingerprint, case_key="", op="", title="", found_at=stamp(now), document=""
    )
    row.case_key, row.op, row.title = case.key, finding.op, draft.title
    row.document = case.model_dump_json()
    session.add(row)


def _keep_attempt(session: Session, row: CaseRow, now: datetime) -> None:
    """Copy what a case's row holds to where nothing is overwritten."""
    last = session.exec(select(func.max(AttemptRow.number)).where(AttemptRow.case_key == row.key)).one()
    session.add(AttemptRow(case_key=row.key, number=(last or 0) + 1, replaced_at=stamp(now), document=row.document))


def _summary(session: Session, scan: ScanRow) -> WindowSummary:
    chosen = select(CaseRow.outcome).where(CaseRow.window == scan.window, CaseRow.device == scan.device)
    outcomes = session.exec(chosen).all()
    items = session.exec(select(func.count()).select_from(ItemRow).where(ItemRow.window == scan.window)).one()
    return WindowSummary(
        window=Window.parse(scan.window),
        device=scan.device,
        heads=FrozenHeads(upstream=scan.upstream_head, target=scan.target_head),
        items=items,
        cases=len(outcomes),
        outcomes={OutcomeKind(kind): count for kind, count in Counter(filter(None, outcomes)).items()},
        state=scan.state,
    )
