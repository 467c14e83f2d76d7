"""What was read from the forge, and how far: windows with their proof, raw pages, watermarks."""

import hashlib
from datetime import datetime

import zstandard
from sqlalchemy import Engine
from sqlmodel import Session, col, select

from bot.edges.tables import PageRow, ReadingRow, WatermarkRow
from bot.edges.transactions import ours, read, stamp, writing
from bot.model import Reading, ReadingState, Window
from bot.seams import StoreError

ADOPTED = "adopted"
"""Key of a window's note of its items that its listing lacks or has outdated: number -> last change, or ""."""
CHANGED = "changed"
"""Likewise of other items, changed while the window was being read: it may hold them because they landed in it."""
LARGEST_PAGE = 64 << 20
"""Bytes of one page once decompressed; the client takes no larger answer."""


class SqlReadings:
    """A Readings over the store's database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @ours
    def load(self, window: Window) -> Reading | None:
        """The reading of exactly this window."""
        with Session(self._engine) as session:
            row = session.get(ReadingRow, str(window))
            return read(Reading, f"reading {row.window}", row.document) if row else None

    @ours
    def save(self, reading: Reading) -> None:
        """Remember how far a reading is. A closed one stays as it was: its proof was given once."""
        with writing(self._engine) as session:
            row = session.get(ReadingRow, str(reading.window))
            if row is not None and row.state == ReadingState.CLOSED:
                return
            row = row or ReadingRow(
                window=str(reading.window),
                starts_at=stamp(reading.window.start),
                ends_at=stamp(reading.window.end),
                opened_at=stamp(reading.opened_at),
                state="",
                document="",
            )
            row.state, row.document = reading.state, reading.model_dump_json()
            session.add(row)

    @ours
    def all(self) -> list[Reading]:
        """Every reading, oldest window first."""
        with Session(self._engine) as session:
            rows = session.exec(select(ReadingRow).order_by(col(ReadingRow.starts_at), col(ReadingRow.ends_at)))
            return [read(Reading, f"reading {row.window}", row.document) for row in rows]

    @ours
    def page(self, window: Window, key: str) -> bytes | None:
        """A page as it came, or None. Raises StoreError when it isn't what was stored."""
        with Session(self._engine) as session:
            row = session.get(PageRow, (str(window), key))
        if row is None:
            return None
        try:
            body = zstandard.decompress(row.body, max_output_size=LARGEST_PAGE)
        except zstandard.ZstdError as error:
            raise StoreError(f"page {key} of {window} in the database is damaged: {error}") from error
        if hashlib.sha256(body).hexdigest() != row.sha256:
            raise StoreError(f"page {key} of {window} in the database is damaged: its digest is another")
        return body

    @ours
    def keep_page(self, window: Window, key: str, body: bytes, now: datetime) -> None:
        """Remember a page as it came; again replaces it."""
        with writing(self._engine) as session:
            session.merge(
                PageRow(
                    window=str(window),
                    key=key,
                    sha256=hashlib.sha256(body).hexdigest(),
                    fetched_at=stamp(now),
                    body=zstandard.compress(body),
                )
            )

    @ours
    def watermark(self, name: str) -> datetime | None:
        """How far something has come; None where it has not begun."""
        with Session(self._engine) as session:
            row = session.get(WatermarkRow, name)
            return datetime.fromisoformat(row.moment) if row else None

    @ours
    def raise_watermark(self, name: str, moment: datetime) -> None:
        """Say how far it is now; it never goes back."""
        with writing(self._engine) as session:
            row = session.get(WatermarkRow, name) or WatermarkRow(name=name, moment="")
            row.moment = max(row.moment, stamp(moment))
            session.add(row)
