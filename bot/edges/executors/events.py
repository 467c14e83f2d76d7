"""What the harness reported. The script shares its process and may write here too: a line is a claim, not a fact.

A line that is no event, or an event that can't be (a second environment, an end with another exit code than the
process had), is passed over and counted. What remains is well-formed and bounded; that it is true, only a replay of
the reported call in a clean process can show.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from bot.model import DeviceFacts, Divergence, OpCount, Value

_LINE_BYTES = 4 << 20
_DIVERGENCES = 200
_PAGE = 64 << 10
_IGNORED = 1_000
"""A channel with more lines than this that can't be believed is not read to its end."""


def _bounded(content: dict[str, Any]) -> dict[str, Any]:
    """What a build says of itself fits on a page; it is kept in every case."""
    if len(json.dumps(content)) > _PAGE:
        raise ValueError(f"longer than {_PAGE} characters")
    return content


class EnvironmentEvent(Value):
    """First word: what the script is going to run on."""

    event: Literal["environment"]
    environment: Annotated[dict[str, Any], AfterValidator(_bounded)]
    device: DeviceFacts


class DivergenceEvent(Value):
    """A call whose result is off."""

    event: Literal["divergence"]
    divergence: Divergence


class EndEvent(Value):
    """Last word: the script ended and the observer was there to the end."""

    event: Literal["end"]
    exit_code: int
    raised: str | None = Field(default=None, max_length=20_000)
    ops: tuple[OpCount, ...] = Field(default=(), max_length=20_000)
    checked: int = Field(default=0, ge=0)
    unchecked: dict[Annotated[str, Field(max_length=200)], int] = Field(default_factory=dict, max_length=1_000)


class RefusedEvent(Value):
    """Only word: the script was not run."""

    event: Literal["refused"]
    why: str = Field(max_length=1_000)


_Event = EnvironmentEvent | DivergenceEvent | EndEvent | RefusedEvent
_EVENT: TypeAdapter[_Event] = TypeAdapter(Annotated[_Event, Field(discriminator="event")])


class Account(Value):
    """One run as its harness told it."""

    environment: EnvironmentEvent | None = None
    divergences: tuple[Divergence, ...] = ()
    """The first 200."""
    more_divergences: int = 0
    end: EndEvent | None = None
    refused: str | None = None
    ignored: int = 0
    """Lines that could not be believed."""


def read_account(channel: bytes, exit_code: int | None) -> Account:
    """The account in the bytes of a channel; `exit_code` is the process's own, None when it did not exit by itself."""
    lines = channel.split(b"\n")
    rest = lines.pop()  # a whole event ends with a line feed
    ignored = 1 if rest else 0
    environment: EnvironmentEvent | None = None
    divergences: list[Divergence] = []
    more = 0
    end: EndEvent | None = None
    refused: str | None = None
    for line in lines:
        if ignored > _IGNORED:
            break
        event = _event(line)
        if isinstance(event, DivergenceEvent) and end is None:
            if len(divergences) < _DIVERGENCES:
                divergences.append(event.divergence)
            else:
                more += 1
        elif isinstance(event, EnvironmentEvent) and environment is None:
            environment = event
        elif isinstance(event, EndEvent) and end is None and exit_code in (None, event.exit_code & 0xFF):
            end = event
        elif isinstance(event, RefusedEvent) and environment is None and refused is None:
            refused = event.why
        else:
            ignored += 1
    return Account(
        environment=environment,
        divergences=tuple(divergences),
        more_divergences=more,
        end=end,
        refused=refused,
        ignored=ignored,
    )


def _event(line: bytes) -> _Event | None:
    if len(line) > _LINE_BYTES:
        return None
    try:
        return _EVENT.validate_json(line)
    except ValidationError:
        return None
