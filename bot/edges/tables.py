"""The tables. What people ask for by name is a column; what only the program reads is one JSON document a row."""

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
