"""A block of code as it stands in a thread, and what an extraction rule says of it."""

from bot.model.base import Value
from bot.model.evidence import Origin


class Block(Value):
    """A fenced or indented block of Markdown."""

    text: str
    tag: str
    """The fence's language in lower case, empty where none is given."""
    origin: Origin
    line: int
    """First line of the block in its Markdown, 1-based."""
    after: str = ""
    """The blocks and prose that follow, up to the next code: where expected output stands."""


class Found(Value):
    """The rule recognises code: `code` is what to run."""

    code: str
    language: str
    score: float
    outputs: tuple[str, ...] = ()
    """What the thread shows as printed by the code, where the rule can tell."""
    changes: tuple[str, ...] = ()
    """How the code differs from the block's text."""


class Passed(Value):
    """The rule recognises something that is no code to run."""

    why: str
