"""What is read from the forge: windows, frozen heads, items, and what the classifier says of them."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Self

from pydantic import AfterValidator, Field, field_validator, model_validator

from bot.model.base import Reason, UtcTime, Value, rfc3339
from bot.model.words import DefectKind, ItemClass, ItemKind, ItemState, LinkKind, StateReason

REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")
SHA = re.compile(r"[0-9a-f]{7,64}")
"""A commit, whole or shortened. It stands in names of files and addresses, so nothing else may pass for one."""


FIRST_YEAR = 2000
NUMBERS_END = 10**12
"""No number of an issue reaches it; it stands in names of files, and `order` sorts by it."""


class WindowError(ValueError):
    """A text that names no window."""


class Window(Value):
    """A half-open span of time, UTC: `start` belongs to it, `end` to the next one."""

    start: UtcTime
    end: UtcTime

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.start >= self.end:
            raise WindowError(f"{self} ends before it starts: give START/END with START earlier than END")
        return self

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `2026-11-11` (that UTC day) or `START/END` (each RFC 3339 with Z, or a date).

        Raises WindowError with what to write instead.
        """
        start_text, slash, end_text = text.partition("/")
        try:
            start = _moment(start_text)
            end = _moment(end_text) if slash else start + timedelta(days=1)
        except (ValueError, OverflowError) as error:
            hint = "write a UTC day (2026-11-11) or START/END (2026-11-11T00:00:00Z/2026-11-12T00:00:00Z)"
            raise WindowError(f"'{text}' is no window: {error}; {hint}") from error
        if not slash and len(text) > len("2026-11-11"):
            raise WindowError(f"'{text}' has no end: write a day (2026-11-11) or START/END")
        if start.year < FIRST_YEAR:
            raise WindowError(f"'{text}' is no window: GitHub has nothing from before {FIRST_YEAR}")
        if start >= end:
            raise WindowError(f"'{text}' is no window: its end is not after its start; swap the two")
        return cls(start=start, end=end)

    def __contains__(self, moment: datetime) -> bool:
        return self.start <= moment < self.end

    def __str__(self) -> str:
        return f"{rfc3339(self.start)}/{rfc3339(self.end)}"


def _moment(text: str) -> datetime:
    """A date (its first moment, UTC) or an RFC 3339 time with a zone."""
    if len(text) == len("2026-11-11"):
        day = date.fromisoformat(text)
        return datetime(day.year, day.month, day.day, tzinfo=UTC)
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text} has no time zone")
    if moment.microsecond:
        raise ValueError(f"{text} is finer than a second, the grain of GitHub's times")
    return moment.astimezone(UTC)


def _sha(text: str) -> str:
    if not SHA.fullmatch(text):
        raise ValueError("a commit is 7 to 64 lower-case hexadecimal digits")
    return text


class FrozenHeads(Value):
    """The default-branch commits at which every file of a scan is read; None where none was frozen."""

    upstream: Annotated[str, AfterValidator(_sha)] | None = None
    target: Annotated[str, AfterValidator(_sha)] | None = None


class ChangedFile(Value):
    """A file of a pull request."""

    path: str
    additions: int = 0
    deletions: int = 0
    patch: str | None = None
    text: str | None = None
    """The file at the pull request's head, where the patch alone does not do; lines that no test needs are blank."""


class Comment(Value):
    """A comment of a thread."""

    author: str = ""
    author_association: str = "NONE"
    created_at: UtcTime | None = None
    body: str = ""


class Link(Value):
    """From an item to another. Of whatever kind it is in the input, it is read."""

    kind: LinkKind
    repo: str
    number: int

    @field_validator("kind", mode="before")
    @classmethod
    def _of_any_kind(cls, kind: object) -> object:
        return kind if not isinstance(kind, str) or kind in set(LinkKind) else LinkKind.OTHER

    @property
    def key(self) -> str:
        """Of the item that it leads to."""
        return f"{self.repo}#{self.number}"


class Item(Value):
    """An upstream issue or pull request, or a commit on main without one."""

    repo: str
    number: int | str
    kind: ItemKind
    title: str
    body: str = ""
    labels: tuple[str, ...] = ()
    state: ItemState = ItemState.OPEN
    state_reason: StateReason | None = None
    """Of an issue only, and only where it is known."""
    author: str = ""
    author_association: str = "NONE"
    created_at: UtcTime | None = None
    updated_at: UtcTime | None = None
    closed_at: UtcTime | None = None
    merged_at: UtcTime | None = None
    url: str | None = None
    base_ref: str | None = None
    head_ref: str | None = None
    head_sha: str | None = None
    landed_sha: str | None = None
    files: tuple[ChangedFile, ...] = ()
    comments: tuple[Comment, ...] = ()
    links: tuple[Link, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _null_is_missing(cls, fields: object) -> object:
        """GitHub writes null for an empty body; a null field is a field that is not there."""
        if isinstance(fields, dict):
            return {name: content for name, content in fields.items() if content is not None}
        return fields

    @field_validator("state_reason", mode="before")
    @classmethod
    def _unheard_of_is_missing(cls, reason: object) -> object:
        """In large letters as GraphQL has it, in small ones as REST does; a new word of GitHub's tells us nothing."""
        known = reason.lower() if isinstance(reason, str) else reason
        return None if isinstance(known, str) and known not in set(StateReason) else known

    @field_validator("repo")
    @classmethod
    def _names_a_repository(cls, repo: str) -> str:
        if not REPOSITORY.fullmatch(repo) or not {".", ".."}.isdisjoint(repo.split("/")):
            raise ValueError("a repository is OWNER/NAME in letters, digits and _ . -")
        return repo

    @model_validator(mode="after")
    def _number_fits_kind(self) -> Self:
        if self.kind is ItemKind.COMMIT:
            if not (isinstance(self.number, str) and SHA.fullmatch(self.number)):
                raise ValueError("number must be the sha of a commit: 7 to 64 lower-case hexadecimal digits")
        elif not (isinstance(self.number, int) and 0 < self.number < NUMBERS_END):
            raise ValueError("number must be a positive whole number for an issue or a pull request, below 10^12")
        return self

    @property
    def key(self) -> str:
        """`pytorch/pytorch#204496`, of a commit `pytorch/pytorch@125472c`: identity, whatever else changes."""
        return f"{self.repo}{'@' if self.kind is ItemKind.COMMIT else '#'}{self.number}"

    @property
    def order(self) -> tuple[str, str]:
        """What items are sorted by: repository, then number."""
        return self.repo, str(self.number).zfill(12)


class Ruling(Value):
    """What the classifier says of one item."""

    number: int | str
    kind: ItemKind
    candidate: bool
    item_class: ItemClass = Field(alias="class")
    defect_kind: DefectKind
    ops: tuple[str, ...] = ()
    score: float = Field(ge=0, le=1)
    reasons: tuple[Reason, ...] = ()
    chain: tuple[int | str, ...] = ()
