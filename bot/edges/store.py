"""The store: SQLite (or any SQLAlchemy database) through SQLModel, kept current by Alembic."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.util.exc import CommandError
from sqlalchemy import Engine, event, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlmodel import Session, col, create_engine, select

from bot.edges.tables import CaseRow, FindingRow, ItemRow, ScanRow
from bot.model import Absent, Case, Draft, Finding, FrozenHeads, Item, OutcomeKind, Window, WindowSummary
from bot.resources import resource
from bot.seams import InputError, StoreError

P = ParamSpec("P")
R = TypeVar("R")


def _ours(method: Callable[P, R]) -> Callable[P, R]:
    """Database errors become StoreError with one line."""

    @wraps(method)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(*args, **kwargs)
        except SQLAlchemyError as error:
            raise StoreError(f"the database failed: {_first_line(error)}") from error

    return wrapped


class SqlStore:
    """A Store. Opening it brings the schema up to date; closing it frees the file."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._engine = _engine(url)
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
        """Remember a window's items and that its scan runs, in one transaction."""
        with self._writing() as session:
            scan = session.get(ScanRow, (str(window), device))
            if scan is None:
                scan = ScanRow(window=str(window), device=device, starts_at=_stamp(window.start), state="running")
            scan.upstream_head, scan.target_head, scan.state = heads.upstream, heads.target, "running"
            session.add(scan)
            known = {
                row.key: row for row in session.exec(select(ItemRow).where(col(ItemRow.window) == str(window))).all()
            }
            for item in items:
                row = known.get(item.key) or ItemRow(window=str(window), key=item.key, kind=item.kind, document="")
                row.kind, row.document = item.kind, item.model_dump_json(exclude_defaults=True)
                session.add(row)

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
            return Case.model_validate_json(row.document) if row else None

    @_ours
    def save_case(self, case: Case, now: datetime) -> None:
        """Remember a case, and its finding with it, in one transaction."""
        outcome = case.outcome
        with self._writing() as session:
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
            row.changed_at, row.document = _stamp(now), case.model_dump_json(exclude_defaults=True)
            session.add(row)
            if outcome and outcome.kind is OutcomeKind.FINDING:
                session.flush()
                _add_finding(session, case, now)

    @_ours
    def cases(self, window: Window, device: str) -> list[Case]:
        """A window's cases for a device, ordered by leader."""
        chosen = select(CaseRow).where(CaseRow.window == str(window), CaseRow.device == device)
        with Session(self._engine) as session:
            found = [Case.model_validate_json(row.document) for row in session.exec(chosen)]
        return sorted(found, key=lambda case: case.leader.order)

    @_ours
    def findings(self) -> list[tuple[Finding, Draft, Case]]:
        """All findings, newest window first."""
        with Session(self._engine) as session:
            joined = select(FindingRow, CaseRow).where(FindingRow.case_key == CaseRow.key)
            cases = [Case.model_validate_json(case.document) for _, case in session.exec(joined)]
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


def upgrade(engine: Engine) -> None:
    """Bring the schema to the newest revision. Raises StoreError, also for a database of a newer alignbot."""
    config = AlembicConfig()
    config.set_main_option("script_location", str(resource("migrations")))
    try:
        with engine.connect() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            connection.commit()
    except CommandError as error:
        raise StoreError(
            f"the database is of another alignbot: {_first_line(error)}; use that version, or another state folder"
        ) from error
    except SQLAlchemyError as error:
        raise StoreError(f"the database can't be opened: {_first_line(error)}") from error


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:"):
            Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(parsed, connect_args={"timeout": 30} if parsed.get_backend_name() == "sqlite" else {})
    except (ArgumentError, ImportError) as error:
        raise InputError(f"database_url can't be used: {_first_line(error)}") from error
    except OSError as error:
        raise InputError(f"the state folder can't be made: {error.filename}: {error.strerror}") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Survive a kill at any point (WAL, full sync) and hold foreign keys; transactions are opened by us."""
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _add_finding(session: Session, case: Case, now: datetime) -> None:
    """The first case keeps a finding; a later one with the same fingerprint adds nothing."""
    if isinstance(case.finding, Absent | None) or isinstance(case.draft, Absent | None):
        return
    row = session.get(FindingRow, case.finding.fingerprint)
    if row is None:
        row = FindingRow(
            fingerprint=case.finding.fingerprint,
            case_key=case.key,
            op=case.finding.op,
            title=case.draft.title,
            found_at=_stamp(now),
        )
        session.add(row)


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


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).strip().splitlines()[0]
