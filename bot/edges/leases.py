"""The right to write, as a row: one holder at a time, each with a token that is larger than all before."""

from datetime import datetime, timedelta

from sqlalchemy import Engine
from sqlmodel import Session

from bot.edges.tables import LeaseRow
from bot.edges.transactions import ours, stamp, writing
from bot.errors import LeaseLostError
from bot.model import Lease, Wait

LENGTH = timedelta(minutes=5)
"""Longer than any one request may take. Who is killed with it keeps the others waiting for that long."""
NAME = "filing"


class SqlLeases:
    """The lease in the store's database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @ours
    def take(self, holder: str, now: datetime) -> Lease | Wait:
        """The lease, or who has it.

        One that ends much later than a lease can was taken by a clock that was ahead: it counts as ended. Whoever took
        it is stopped by the token, should they still be there.
        """
        with writing(self._engine) as session:
            row = session.get(LeaseRow, NAME, with_for_update=True) or LeaseRow(
                name=NAME, holder="", token=0, expires_at=""
            )
            if row.holder and stamp(now) < row.expires_at <= stamp(now + 2 * LENGTH):
                return Wait(reason=f"{row.holder} writes now, until {row.expires_at} at the latest", all=True)
            row.holder, row.token, row.expires_at = holder, row.token + 1, stamp(now + LENGTH)
            session.add(row)
            return Lease(holder=holder, token=row.token, expires_at=now + LENGTH)

    @ours
    def renew(self, lease: Lease, now: datetime) -> Lease:
        """The same for longer. Raises LeaseLostError when somebody else has taken it since."""
        with writing(self._engine) as session:
            row = held(session, lease)
            row.expires_at = stamp(now + LENGTH)
            session.add(row)
        return lease.model_copy(update={"expires_at": now + LENGTH})

    @ours
    def release(self, lease: Lease) -> None:
        """Give it back; nothing happens where somebody else has it."""
        with writing(self._engine) as session:
            row = session.get(LeaseRow, NAME)
            if row is not None and row.token == lease.token:
                row.holder = ""
                session.add(row)


def held(session: Session, lease: Lease) -> LeaseRow:
    """The row of a lease that still holds; ask in the transaction that changes something under it.

    The token alone decides, not the time: until somebody else has taken it, nobody else writes. Raises LeaseLostError.
    """
    row = session.get(LeaseRow, NAME, with_for_update=True)
    if row is None or row.token != lease.token or not row.holder:
        taken = f"{row.holder} has it since" if row and row.holder else "it was given back"
        raise LeaseLostError(f"the right to write was lost to another process ({taken}): nothing more is written")
    return row
