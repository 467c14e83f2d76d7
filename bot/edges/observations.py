"""What reproducers showed on later builds, in the store's database."""

from sqlalchemy import Engine
from sqlmodel import Session, col, func, select

from bot.edges.tables import ObservationRow
from bot.edges.transactions import ours, read, stamp, writing
from bot.model import Observation


class SqlObservations:
    """All observations: a further one is a further row, and none is overwritten."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @ours
    def add(self, observation: Observation) -> None:
        """Add a row."""
        with writing(self._engine) as session:
            asked = select(func.max(ObservationRow.number)).where(ObservationRow.fingerprint == observation.fingerprint)
            session.add(
                ObservationRow(
                    fingerprint=observation.fingerprint,
                    number=(session.exec(asked).one() or 0) + 1,
                    build=observation.build.key,
                    shows=observation.shows,
                    observed_at=stamp(observation.at),
                    document=observation.model_dump_json(),
                )
            )

    @ours
    def of(self, fingerprint: str) -> list[Observation]:
        """Of a finding, oldest first."""
        chosen = select(ObservationRow).where(ObservationRow.fingerprint == fingerprint)
        with Session(self._engine) as session:
            rows = session.exec(chosen.order_by(col(ObservationRow.number))).all()
            return [read(Observation, f"observation {row.fingerprint} {row.number}", row.document) for row in rows]
