"""What maintainers said of findings, in the store's database."""

from sqlalchemy import Engine
from sqlmodel import Session, col, func, select

from bot.edges.tables import DecisionRow
from bot.edges.transactions import ours, read, stamp, writing
from bot.model import Decision


class SqlDecisions:
    """A Decisions over the store's database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @ours
    def decide(self, decision: Decision) -> None:
        """Add a row: nothing is overwritten."""
        with writing(self._engine) as session:
            asked = select(func.max(DecisionRow.number)).where(DecisionRow.fingerprint == decision.fingerprint)
            session.add(
                DecisionRow(
                    fingerprint=decision.fingerprint,
                    number=(session.exec(asked).one() or 0) + 1,
                    kind=decision.kind.value,
                    decided_at=stamp(decision.decided_at),
                    document=decision.model_dump_json(),
                )
            )

    @ours
    def history(self) -> dict[str, list[Decision]]:
        """In one read, by fingerprint and number."""
        chosen = select(DecisionRow).order_by(col(DecisionRow.fingerprint), col(DecisionRow.number))
        found: dict[str, list[Decision]] = {}
        with Session(self._engine) as session:
            for row in session.exec(chosen):
                told = read(Decision, f"decision {row.fingerprint} {row.number}", row.document)
                found.setdefault(row.fingerprint, []).append(told)
        return found
