"""A block of code as it stands in a thread, and what an extraction rule says of it."""

from bot.model.base import Value
from bot.model.reproducer import Origin


class Block(Value):
    """A fenced, indented or HTML-wrapped block of Markdown, or code that stands in its prose."""

    text: str
    """As it stands; of a block in HTML the entities are characters."""
    tag: str
    """The fence's language in lower case, empty where none is given."""
    origin: Origin
    line: int
    """First line of the block in its Markdown, 1-based."""
    loose: bool = False
    """It stands in the prose, without a fence: if it is no code, nobody said that it was."""


class Found(Value):
    """The rule recognises code: `code` is what to run."""

    code: str
    language: str
    score: float
    outputs: tuple[str, ...] = ()
    """What the thread shows as printed by the code, where the rule can tell."""
    answers: tuple[str, ...] = ()
    """The statement that made each of the outputs, where the block is a session; else empty."""
    changes: tuple[str, ...] = ()
    """How the code differs from the block's text."""


class Passed(Value):
    """The rule recognises something that is no code to run."""

    why: str
