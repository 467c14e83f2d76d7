"""From a thread's text to a script for a device: reproducers, oracles, ports."""

from bot.model.base import Value
from bot.model.words import OracleKind


class Origin(Value):
    """Where a piece of code stood."""

    where: str
    """`body`, `comment N`, N from 0, or `file PATH` of a pull request."""
    index: int
    """Of the block in that text, from 0."""
    item: str | None = None
    """Key of the item, `pytorch/pytorch#204496`; None for a text that is no item's."""


class Oracle(Value):
    """How a script says that a result is wrong."""

    kind: OracleKind
    expected: str | None = None
    """The value that the thread states, as it stands there."""
    observed: str | None = None
    """What the thread shows the code to give, as it stands there: never the value that is right."""
    source: str | None = None
    """The line of the thread, or of the code, that says it."""


class Reproducer(Value):
    """Runnable text found in a thread."""

    code: str
    origin: Origin
    language: str
    score: float
    needs: tuple[str, ...] = ()
    oracle: Oracle
    changes: tuple[str, ...] = ()
    """How the code differs from the text of the thread: `prompts removed`."""


class Edit(Value):
    """One change that the port made: `line` is 1-based in the source."""

    line: int
    before: str
    after: str
    rule: str


class Leftover(Value):
    """What could not be carried over."""

    line: int
    text: str
    why: str
    matters: bool = True
    """Can the result depend on it? Not if it is in code that nobody calls, or only printed."""


class Port(Value):
    """A reproducer rewritten for a device."""

    device: str
    code: str
    edits: tuple[Edit, ...] = ()
    leftovers: tuple[Leftover, ...] = ()
