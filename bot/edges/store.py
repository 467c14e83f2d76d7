"""The store: SQLite (or any SQLAlchemy database) through SQLModel. Every change is one transaction."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, func, select

from bot.edges.schema import connected, first_line, upgrade
from bot.edges.tables import AttemptRow, CaseRow, FindingRow, ItemRow, ScanRow
from bot.model import Case, Draft, Finding, FrozenHeads, Item, OutcomeKind, Window, WindowSummary
from bot.seams import StoreError

P = ParamSpec("P")
R = TypeVar("R")


def _ours(method: Callable[P, R]) -> Callable[P, R]:
    """Database errors become StoreError with one line."""

    @wraps(method)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(*args, **kwargs)
        except SQLAlchemyError as error:
            raise StoreError(f"the database failed: {first_line(error)}") from error

    return wrapped


class SqlStore:
    """A Store. Opening it brings the schema up to date; closing it frees the file."""

    def __init__(self, place: str | Path) -> None:
        self._engine = connected(place)
        try:
            upgrade(self._engine)
        except StoreError:
            self._engine.dispose()
            raise

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()

    @_ours
    def save_items(self, window: Window, device: str, heads: FrozenHeads, items: Sequence[Item]) -> None:
        """Remember a window's items, these and no others, and that its scan runs, in one transaction."""
        with self._writing() as session:
            scan = session.get(ScanRow, (str(window), device))
            if scan is None:
                scan = ScanRow(window=str(window), device=device, starts_at=_stamp(window.start), state="running")
            scan.upstream_head, scan.target_head, scan.state = heads.upstream, heads.target, "running"
            session.add(scan)
            rows = session.exec(select(ItemRow).where(col(ItemRow.window) == str(window))).all()
            known = {row.key: row for row in rows}
            for item in items:
                row = known.pop(item.key, None) or ItemRow(window=str(window), key=item.key, kind="", document="")
                row.kind, row.document = item.kind, item.model_dump_json()
                session.add(row)
            for gone in known.values():
                session.delete(gone)

    @_ours
    def finish_scan(self, window: Window, device: str, state: str) -> None:
        """Say that every case of a scan has its outcome (`done`) or that some wait (`held`)."""
        with self._writing() as session:
            scan = session.get(ScanRow, (str(window), device))
            if scan is not None:
                scan.state = state
                session.add(scan)

    @_ours
    def load_case(self, key: str) -> Case | None:
        """The case as last saved."""
        with Session(self._engine) as session:
            row = session.get(CaseRow, key)
            return _read(key, row.document) if row else None

    @_ours
    def start_case(self, case: Case, now: datetime) -> None:
        """Save a case that begins; what stood in its place becomes an attempt, in one transaction."""
        with self._writing() as session:
            before = session.get(CaseRow, case.key)
            if before is not None:
                _keep_attempt(session, before, now)
            _put(session, case, now)

    @_ours
    def save_case(self, case: Case, now: datetime) -> None:
        """Remember a case, and its finding with it, in one transaction."""
        with self._writing() as session:
            _put(session, case, now)

    @_ours
    def retire(self, window: Window, device: str, present: Collection[str], now: datetime) -> None:
        """Make attempts of the window's cases that aren't `present`, in one transaction."""
        chosen = select(CaseRow).where(CaseRow.window == str(window), CaseRow.device == device)
        with self._writing() as session:
            for row in session.exec(chosen).all():
                if row.key not in present:
                    _keep_attempt(session, row, now)
                    session.delete(row)

    @_ours
    def cases(self, window: Window, device: str) -> list[Case]:
        """A window's cases for a device, ordered by leader."""
        chosen = select(CaseRow).where(CaseRow.window == str(window), CaseRow.device == device)
        with Session(self._engine) as session:
            found = [_read(row.key, row.document) for row in session.exec(chosen)]
        return sorted(found, key=lambda case: case.leader.order)

    @_ours
    def attempts(self, key: str) -> list[Case]:
        """What was known of a case each time that it began anew or was retired, oldest first."""
        chosen = select(AttemptRow).where(AttemptRow.case_key == key).order_by(col(AttemptRow.number))
        with Session(self._engine) as session:
            return [_read(f"{key}, attempt {row.number}", row.document) for row in session.exec(chosen)]

    @_ours
    def owner_of(self, fingerprint: str) -> str | None:
        """The key of the case that holds a finding, while there is that case."""
        with Session(self._engine) as session:
            row = session.get(FindingRow, fingerprint)
            owner = session.get(CaseRow, row.case_key) if row else None
            return owner.key if owner else None

    @_ours
    def findings(self) -> list[tuple[Finding, Draft, Case]]:
        """All findings, newest window first."""
        with Session(self._engine) as session:
            cases = [_read(f"finding {row.fingerprint}", row.document) for row in session.exec(select(FindingRow))]
        found = [
            (case.finding, case.draft, case)
            for case in cases
            if isinstance(case.finding, Finding) and isinstance(case.draft, Draft)
        ]
        return sorted(found, key=lambda one: (-one[2].window.start.timestamp(), one[0].fingerprint))

    @_ours
    def windows(self) -> list[WindowSummary]:
        """Every scanned window with its counts, newest first."""
        with Session(self._engine) as session:
            scans = session.exec(select(ScanRow).order_by(col(ScanRow.starts_at).desc(), ScanRow.device)).all()
            return [_summary(session, scan) for scan in scans]

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        """A transaction that takes the write lock at its start, so that what it read still holds when it writes."""
        with Session(self._engine, autoflush=False) as session, session.begin():
            if self._engine.dialect.name == "sqlite":
                session.connection().exec_driver_sql("BEGIN IMMEDIATE")
            yield session


def _read(key: str, document: str) -> Case:
    """A stored case. Raises StoreError naming its key when this alignbot can't read it."""
    try:
        return Case.model_validate_json(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"])) or "document"
        raise StoreError(f"the database holds {key} in a form that can't be read: {field}: {first['msg']}") from error


def _put(session: Session, case: Case, now: datetime) -> None:
    """Write a case into its row, and its finding into one of its own."""
    outcome = case.outcome
    row = session.get(CaseRow, case.key) or CaseRow(
        key=case.key,
        window=str(case.window),
        device=case.device,
        leader=case.leader.key,
        changed_at=_stamp(now),
        document="",
    )
    row.outcome = outcome.kind if outcome else None
    row.look_again_at = _stamp(outcome.look_again_at) if outcome and outcome.look_again_at else None
    row.changed_at, row.document = _stamp(now), case.model_dump_json()
    session.add(row)
    if outcome and outcome.kind is OutcomeKind.FINDING:
        _put_finding(session, case, now)


def _put_finding(session: Session, case: Case, now: datetime) -> None:
    """The first case keeps a finding and may renew it; another one gets it only when that case was retired."""
    finding, draft = case.finding, case.draft
    if not (isinstance(finding, Finding) and isinstance(draft, Draft)):
        return
    row = session.get(FindingRow, finding.fingerprint)
    if row is not None and row.case_key != case.key and session.get(CaseRow, row.case_key) is not None:
        return
    row = row or FindingRow(
        fingerprint=finding.fingerprint, case_key="", op="", title="", found_at=_stamp(now), document=""
    )
    row.case_key, row.op, row.title = case.key, finding.op, draft.title
    row.document = case.model_dump_json()
    session.add(row)


def _keep_attempt(session: Session, row: CaseRow, now: datetime) -> None:
    """Copy what a case's row holds to where nothing is overwritten."""
    last = session.exec(select(func.max(AttemptRow.number)).where(AttemptRow.case_key == row.key)).one()
    session.add(AttemptRow(case_key=row.key, number=(last or 0) + 1, replaced_at=_stamp(now), document=row.document))


def _summary(session: Session, scan: ScanRow) -> WindowSummary:
    chosen = select(CaseRow.outcome).where(CaseRow.window == scan.window, CaseRow.device == scan.device)
    outcomes = session.exec(chosen).all()
    items = session.exec(select(ItemRow.key).where(ItemRow.window == scan.window)).all()
    return WindowSummary(
        window=Window.parse(scan.window),
        device=scan.device,
        heads=FrozenHeads(upstream=scan.upstream_head, target=scan.target_head),
        items=len(items),
        cases=len(outcomes),
        outcomes={OutcomeKind(kind): count for kind, count in Counter(filter(None, outcomes)).items()},
        state=scan.state,
    )


def _stamp(moment: datetime) -> str:
    """A time as the columns hold it."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
