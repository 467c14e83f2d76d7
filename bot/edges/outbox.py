"""The outbox in the store's database. Each change of a row is one transaction that checks the lease first."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from sqlmodel import Session, col, func, select

from bot.edges.leases import LENGTH, SqlLeases, held
from bot.edges.tables import IntentRow
from bot.edges.transactions import ours, read, stamp, writing
from bot.model import Filed, Intent, IntentState, Lease, Limits, Used, Wait
from bot.model.outbox import OPEN, UNSETTLED, identity

HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(weeks=1)
STANDING = OPEN | {IntentState.DONE, IntentState.REFUSED}
"""States in which an intent speaks for its key: no other one is planned beside it."""


class SqlOutbox(SqlLeases):
    """An Outbox, with the lease of its one writer."""

    @ours
    def plan(self, intent: Intent) -> Intent:
        """Add it, unless one with its key is open, done or refused: then that one, and nothing changes."""
        with writing(self._engine) as session:
            before = _of_key(session, intent.key)
            standing = [row for row in before if row.state in STANDING]
            return _told(standing[-1]) if standing else _added(session, intent, len(before))

    @ours
    def plan_again(self, lease: Lease, intent: Intent, why: str) -> Intent:
        """Add it in the place of one that is unknown or refused. What is planned or done stays, and nothing is added.

        Only for a person who has looked at the tracker.
        """
        with writing(self._engine) as session:
            held(session, lease)
            before = _of_key(session, intent.key)
            for row in before:
                if row.state in (IntentState.PLANNED, IntentState.DONE):
                    return _told(row)
            for row in before:
                if row.state in UNSETTLED:
                    _change(session, row, IntentState.CANCELLED, why, lease)
            session.flush()
            return _added(session, intent, len(before))

    def queue(self) -> list[Intent]:
        """What is planned, in the order in which it may leave: the severest first, of these the oldest."""
        return self._chosen(IntentState.PLANNED)

    def unsettled(self) -> list[Intent]:
        """What was sent and not confirmed, oldest first."""
        return sorted(self._chosen(*UNSETTLED), key=lambda one: (one.sent_at or one.created_at, one.id))

    def every(self) -> list[Intent]:
        """All intents, in that order."""
        return self._chosen(*IntentState)

    @ours
    def used(self, now: datetime) -> Used:
        """What counts against the caps."""
        with Session(self._engine) as session:
            return _used(session, _not_before(session, now))

    @ours
    def send(self, lease: Lease, intent: Intent, now: datetime, limits: Limits) -> Intent | Wait:
        """Say that it is about to be sent. What is returned as an Intent must be sent at once, and by nobody else.

        The caps are counted in the same transaction, so that no two writers share the last one.
        """
        with writing(self._engine) as session:
            kept = held(session, lease)
            row = session.get_one(IntentRow, intent.id)
            if row.state != IntentState.PLANNED:
                return Wait(reason=f"it is {row.state} by now")
            at = _not_before(session, now)
            used = _used(session, at)
            if full := used.full(limits):
                return Wait(reason=full, all=True)
            if full := used.window_full(row.window, limits):
                return Wait(reason=full)
            row.sent_at, row.counted_at = stamp(now), stamp(at)
            kept.expires_at = stamp(now + LENGTH)  # the whole of it lies before whoever sends now
            session.add(kept)
            _change(session, row, IntentState.SENDING, "", lease)
            return _told(row)

    @ours
    def take_back(self, lease: Lease, intent: Intent, why: str) -> Intent:
        """Nothing of it was sent after all: it waits again, and counts for nothing."""
        with writing(self._engine) as session:
            row = _expected(session, lease, intent, {IntentState.SENDING})
            row.sent_at = row.counted_at = None
            _change(session, row, IntentState.PLANNED, why, lease)
            return _told(row)

    @ours
    def confirm(self, lease: Lease, intent: Intent, filed: Filed, now: datetime) -> Intent:
        """It is there: it was done now, or found where it had been done."""
        with writing(self._engine) as session:
            row = _expected(session, lease, intent, OPEN)
            row.number, row.url, row.comment, row.done_at = filed.number, filed.url, filed.comment, stamp(now)
            _change(session, row, IntentState.DONE, "", lease)
            return _told(row)

    @ours
    def doubt(self, lease: Lease, intent: Intent, why: str, looked_at: datetime | None = None) -> Intent:
        """Nobody knows whether it was done; with `looked_at` it was looked for and not found."""
        with writing(self._engine) as session:
            row = _expected(session, lease, intent, UNSETTLED)
            if looked_at is not None:
                row.looks, row.looked_at = row.looks + 1, stamp(looked_at)
            _change(session, row, IntentState.UNKNOWN, why, lease)
            return _told(row)

    @ours
    def give_up(self, lease: Lease, intent: Intent, why: str) -> Intent:
        """The tracker refused it: nothing was written, so it counts for nothing."""
        with writing(self._engine) as session:
            row = _expected(session, lease, intent, {IntentState.SENDING})
            row.counted_at = None
            _change(session, row, IntentState.REFUSED, why, lease)
            return _told(row)

    @ours
    def replace(self, lease: Lease, intent: Intent, other: Intent, why: str) -> Intent:
        """Cancel what was not sent and plan another thing instead, in one step."""
        with writing(self._engine) as session:
            row = _expected(session, lease, intent, {IntentState.SENDING})
            row.sent_at = row.counted_at = None
            _change(session, row, IntentState.CANCELLED, why, lease)
            session.flush()
            return _added(session, other, len(_of_key(session, other.key)))

    @ours
    def keep_waiting(self, lease: Lease, whys: Mapping[str, str]) -> None:
        """Say why planned ones wait, by id; one transaction for any number."""
        with writing(self._engine) as session:
            held(session, lease)
            chosen = select(IntentRow).where(IntentRow.state == IntentState.PLANNED)
            for row in session.exec(chosen).all():
                if row.id in whys and row.why != whys[row.id]:
                    row.why = whys[row.id]
                    session.add(row)

    @ours
    def _chosen(self, *states: IntentState) -> list[Intent]:
        order = (col(IntentRow.severity), col(IntentRow.created_at), col(IntentRow.id))
        with Session(self._engine) as session:
            rows = session.exec(select(IntentRow).where(col(IntentRow.state).in_(states)).order_by(*order)).all()
            return [_told(row) for row in rows]


def _of_key(session: Session, key: str) -> list[IntentRow]:
    """Every attempt, oldest first."""
    found = session.exec(select(IntentRow).where(IntentRow.key == key)).all()
    return sorted(found, key=lambda row: _told(row).attempt)


def _added(session: Session, intent: Intent, before: int) -> Intent:
    attempt = before + 1
    made = intent.model_copy(update={"attempt": attempt, "id": identity(intent.key, attempt)})
    row = IntentRow(
        id=made.id,
        key=made.key,
        open_key=made.key,
        kind=made.kind,
        fingerprint=made.fingerprint,
        window=made.window,
        severity=made.severity,
        created_at=stamp(made.created_at),
        state=IntentState.PLANNED,
        why=made.why,
        fence=0,
        looks=0,
        document=made.model_dump_json(),
    )
    session.add(row)
    session.flush()
    return made


def _expected(session: Session, lease: Lease, intent: Intent, states: Iterable[IntentState]) -> IntentRow:
    """The row, which only the holder of the lease changes: it is in one of the states that its holder left it in."""
    held(session, lease)
    row = session.get_one(IntentRow, intent.id)
    if row.state not in set(states):
        raise ValueError(f"intent {intent.id} is {row.state}: that does not follow")
    return row


def _change(session: Session, row: IntentRow, state: IntentState, why: str, lease: Lease) -> None:
    row.state, row.why, row.fence = state, why, lease.token
    row.open_key = row.key if state in OPEN else None
    session.add(row)


def _not_before(session: Session, now: datetime) -> datetime:
    """Now, but never before what was counted last: a clock that is set back frees no cap."""
    last = session.exec(select(func.max(IntentRow.counted_at))).one()
    return max(now, _moment(last) or now)


def _used(session: Session, at: datetime) -> Used:
    """What was sent in the hour, day and week before, and for each window ever; what comes after counts too."""
    times = session.exec(select(IntentRow.counted_at).where(col(IntentRow.counted_at) > stamp(at - WEEK))).all()
    by_window = (
        select(IntentRow.window, func.count()).where(col(IntentRow.counted_at).is_not(None)).group_by(IntentRow.window)
    )
    hour, day, week = (sum(time > stamp(at - span) for time in times if time) for span in (HOUR, DAY, WEEK))
    return Used(hour=hour, day=day, week=week, window=dict(session.exec(by_window).all()))


def _told(row: IntentRow) -> Intent:
    planned = read(Intent, f"intent {row.id}", row.document)
    filed = (
        None if row.number is None or row.url is None else Filed(number=row.number, url=row.url, comment=row.comment)
    )
    return planned.model_copy(
        update={
            "state": IntentState(row.state),
            "why": row.why,
            "fence": row.fence,
            "looks": row.looks,
            "filed": filed,
            **{name: _moment(getattr(row, name)) for name in ("sent_at", "done_at", "looked_at")},
        }
    )


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).astimezone(UTC) if text else None
