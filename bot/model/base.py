"""What every value has in common: frozen, compared by content, unknown input fields ignored."""

import json
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainSerializer


def in_utc(moment: datetime) -> datetime:
    """The same moment in UTC; a moment without a zone is refused."""
    if moment.tzinfo is None:
        msg = f"{moment.isoformat()} has no time zone: write UTC times with a trailing Z"
        raise ValueError(msg)
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"{moment.isoformat()} leaves the calendar in UTC") from error


def rfc3339(moment: datetime) -> str:
    """`2026-11-11T00:00:00Z`: RFC 3339, UTC, whole seconds unless there are fractions."""
    return in_utc(moment).isoformat().replace("+00:00", "Z")


UtcTime = Annotated[datetime, AfterValidator(in_utc), PlainSerializer(rfc3339, when_used="json")]


class Value(BaseModel):
    """A frozen value that crosses a stage."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        populate_by_name=True,
        serialize_by_alias=True,
        use_attribute_docstrings=True,
        ser_json_inf_nan="strings",  # JSON has no NaN; null would read as "not measured"
    )

    def as_json(self) -> dict[str, Any]:
        """What `model_dump_json` writes, as plain dictionaries and lists (`model_dump` would leave NaN a number)."""
        plain: dict[str, Any] = json.loads(self.model_dump_json())
        return plain


class Absent(Value):
    """Known to be missing; the line goes on without it."""

    absent: str
    """Why, in a sentence that a maintainer can read."""


class Span(Value):
    """The text that made a rule speak."""

    field: str
    """`title`, `body`, `labels`, `files`, `author`."""
    text: str


class Reason(Value):
    """One rule's word."""

    rule: str
    why: str
    span: Span | None = None
    speaks_for: str | None = None
    """The class that a classification rule speaks for."""
    veto: bool = False
    """It settles by itself that the item is no candidate."""
