"""The tables. What people ask for by name is a column; what only the program reads is one JSON document a row."""

from sqlalchemy import false
from sqlmodel import Field, SQLModel


class ScanRow(SQLModel, table=True):
    """One window read for one device."""

    __tablename__ = "scan"

    window: str = Field(primary_key=True)
    """`START/END`, RFC 3339."""
    device: str = Field(primary_key=True)
    starts_at: str = Field(index=True)
    """`2026-11-11T00:00:00.000000Z`: all times in columns are UTC text of one width, so that they sort."""
    upstream_head: str | None = None
    target_head: str | None = None
    state: str
    """`running` from its first item to its last, then `done` or `held`."""


class ItemRow(SQLModel, table=True):
    """An upstream item as a window held it."""

    __tablename__ = "item"

    window: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    kind: str
    document: str
    detailed: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Have its comments, files and links been asked for?"""
    outside: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Is it here only because an item of the window is one change with it?"""
    listed_sha256: str | None = None
    """Of the document as it was before its details were asked for: while this is the same, they still hold."""


class CaseRow(SQLModel, table=True):
    """A case as its stages have filled it in so far."""

    __tablename__ = "case"

    key: str = Field(primary_key=True)
    window: str = Field(index=True)
    device: str
    leader: str
    outcome: str | None = Field(default=None, index=True)
    look_again_at: str | None = None
    changed_at: str
    document: str


class AttemptRow(SQLModel, table=True):
    """A case as it was before it was followed anew or lost its place in the window: nothing found out is forgotten."""

    __tablename__ = "attempt"

    case_key: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """1 for the first."""
    replaced_at: str
    document: str


class FindingRow(SQLModel, table=True):
    """A finding, once for ever: it holds its case as that was, whatever becomes of the case."""

    __tablename__ = "finding"

    fingerprint: str = Field(primary_key=True)
    case_key: str
    """The case that speaks for it: the first that found it, for as long as there is that case."""
    op: str = Field(index=True)
    title: str
    found_at: str
    document: str


class ReadingRow(SQLModel, table=True):
    """How whole a window is: what was counted against what was read."""

    __tablename__ = "reading"

    window: str = Field(primary_key=True)
    starts_at: str = Field(index=True)
    ends_at: str
    state: str
    """`open` until every count agrees, then `closed`."""
    opened_at: str
    document: str


class PageRow(SQLModel, table=True):
    """One answer of the source as it came, so that a reading that was cut short goes on where it stopped."""

    __tablename__ = "page"

    window: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    sha256: str
    """Of the body, uncompressed."""
    fetched_at: str
    body: bytes
    """Compressed with Zstandard."""


class WatermarkRow(SQLModel, table=True):
    """How far something has come that goes on from there."""

    __tablename__ = "watermark"

    name: str = Field(primary_key=True)
    """`schedule` (where the scheduled windows begin), `sweep OWNER/NAME` (up to when changes have been seen)."""
    moment: str


class DecisionRow(SQLModel, table=True):
    """What a maintainer said of a finding; a later word is a further row, so that none is lost."""

    __tablename__ = "decision"

    fingerprint: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """1 for the first."""
    kind: str
    decided_at: str
    document: str


class IntentRow(SQLModel, table=True):
    """One thing that is to be written on a tracker. What changes is a column; the document is as it was planned."""

    __tablename__ = "intent"

    id: str = Field(primary_key=True)
    key: str = Field(index=True)
    """Kind, finding, repository and subject."""
    open_key: str | None = Field(default=None, unique=True)
    """The same while the intent is open, so that no second one can be."""
    kind: str
    fingerprint: str = Field(index=True)
    window: str
    severity: int
    created_at: str
    state: str = Field(index=True)
    sent_at: str | None = None
    counted_at: str | None = Field(default=None, index=True)
    """When it counts as written for the caps: never before an earlier one, whatever the clock says; null: not sent."""
    done_at: str | None = None
    number: int | None = None
    url: str | None = None
    comment: int | None = None
    why: str
    fence: int
    looks: int
    looked_at: str | None = None
    document: str


class LeaseRow(SQLModel, table=True):
    """Who may write now."""

    __tablename__ = "lease"

    name: str = Field(primary_key=True)
    holder: str
    """Empty once it was given back."""
    token: int
    """Grows each time that it is taken; never goes back."""
    expires_at: str


class TrackedRow(SQLModel, table=True):
    """An issue or pull request of a target's tracker, as it was last seen."""

    __tablename__ = "tracked"

    repo: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    updated_at: str | None = None
    document: str


class TrackerRow(SQLModel, table=True):
    """How far a tracker was read."""

    __tablename__ = "tracker"

    repo: str = Field(primary_key=True)
    document: str


class ObservationRow(SQLModel, table=True):
    """What the reproducer of a finding showed on a build."""

    __tablename__ = "observation"

    fingerprint: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """1 for the first."""
    build: str
    shows: bool | None = None
    observed_at: str
    document: str
