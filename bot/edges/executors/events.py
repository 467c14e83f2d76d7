"""What the harness reported. The script shares its process and may write here too: a line is a claim, not a fact.

A line that is no event, or an event that can't be (a second environment, an end with another exit code than the
process had), is passed over and counted. What remains is well-formed and bounded; that it is true, only a replay of
the reported call in a clean process can show.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from bot.model import DeviceFacts, Divergence, OpCount, OpName, Smallest, Value

_LINE_BYTES = 16 << 20
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
    call: dict[str, Any] | None = None
    """The call written down. It is read by the harness of a replay alone."""


class BeginsEvent(Value):
    """The call that was to be written down begins."""

    event: Literal["begins"]
    op: OpName
    calls: str = Field(max_length=600)
    native: bool | None = None
    call: dict[str, Any] | None = None


class ReplayedEvent(Value):
    """A call of a replay was made."""

    event: Literal["replayed"]
    place: int = Field(ge=0)
    raised: str | None = Field(default=None, max_length=1_000)


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


class KernelsEvent(Value):
    """The kernels that a call of a replay starts."""

    event: Literal["kernels"]
    place: int = Field(ge=0)
    names: tuple[Annotated[str, Field(max_length=400)], ...] = Field(max_length=64)


class SmallestEvent(Value):
    """The smallest form of a call."""

    event: Literal["smallest"]
    place: int = Field(ge=0)
    smallest: Smallest


_Event = (
    KernelsEvent
    | SmallestEvent
    | EnvironmentEvent
    | DivergenceEvent
    | EndEvent
    | RefusedEvent
    | BeginsEvent
    | ReplayedEvent
)
_EVENT: TypeAdapter[_Event] = TypeAdapter(Annotated[_Event, Field(discriminator="event")])


class Account(Value):
    """One run as its harness told it."""

    environment: EnvironmentEvent | None = None
    divergences: tuple[Divergence, ...] = ()
    """The first 200."""
    calls: tuple[dict[str, Any] | None, ...] = ()
    """Of each divergence the call that showed it, where it was written down."""
    replayed: tuple[ReplayedEvent, ...] = ()
    kernels: dict[int, tuple[str, ...]] = Field(default_factory=dict)
    """By the place of a call in a replay."""
    begins: BeginsEvent | None = None
    smallest: tuple[SmallestEvent, ...] = ()
    more_divergences: int = 0
    end: EndEvent | None = None
    refused: str | None = None
    ignored: int = 0
    """Lines that could not be believed."""


def read_account(channel: bytes, exit_code: int | None) -> Account:
    """The account in the bytes of a channel; `exit_code` is the process's own, None when it did not exit by itself."""
    lines = channel.split(b"\n")
    account = _Reading(exit_code, ignored=1 if lines.pop() else 0)  # a whole event ends with a line feed
    for line in lines:
        if account.ignored > _IGNORED:
            break
        account.take(_event(line))
    return account.read()


class _Reading:
    """Takes events in order; one that can't be where it stands is ignored, and counted."""

    def __init__(self, exit_code: int | None, ignored: int) -> None:
        self._exit_code, self.ignored = exit_code, ignored
        self._divergences: list[DivergenceEvent] = []
        self._replayed: list[ReplayedEvent] = []
        self._smallest: list[SmallestEvent] = []
        self._kernels: dict[int, tuple[str, ...]] = {}
        self._more = 0
        self._once: dict[str, Any] = {}

    def take(self, event: _Event | None) -> None:
        """Take the next one; None is a line that is no event."""
        ended = "end" in self._once
        if isinstance(event, DivergenceEvent) and not ended:
            if len(self._divergences) < _DIVERGENCES:
                self._divergences.append(event)
            else:
                self._more += 1
        elif isinstance(event, ReplayedEvent) and not ended:
            self._replayed.append(event)
        elif isinstance(event, KernelsEvent) and not ended:
            self._kernels[event.place] = event.names
        elif isinstance(event, SmallestEvent) and not ended:
            self._smallest.append(event)
        elif event is not None and self._may(event):
            self._once[event.event] = event
        else:
            self.ignored += 1

    def _may(self, event: _Event) -> bool:
        """Can this event, of which there is one, stand here?"""
        if event.event in self._once:
            return False
        if isinstance(event, EndEvent):
            return self._exit_code in (None, event.exit_code & 0xFF)
        return not isinstance(event, DivergenceEvent | ReplayedEvent | SmallestEvent | KernelsEvent) and (
            not isinstance(event, RefusedEvent) or "environment" not in self._once
        )

    def read(self) -> Account:
        """What was taken."""
        refused = self._once.get("refused")
        return Account(
            environment=self._once.get("environment"),
            divergences=tuple(one.divergence for one in self._divergences),
            calls=tuple(one.call for one in self._divergences),
            more_divergences=self._more,
            replayed=tuple(self._replayed),
            begins=self._once.get("begins"),
            smallest=tuple(self._smallest),
            kernels=self._kernels,
            end=self._once.get("end"),
            refused=refused.why if refused else None,
            ignored=self.ignored,
        )


def _event(line: bytes) -> _Event | None:
    if len(line) > _LINE_BYTES:
        return None
    try:
        return _EVENT.validate_json(line)
    except ValidationError:
        return None
