"""A place in a script where a port rule may act, and what it may answer. Texts only: the syntax tree stays outside."""

from enum import StrEnum

from bot.model.base import Value
from bot.model.target import Target


class SiteKind(StrEnum):
    """What stands at the site."""

    STRING = "string"
    """A string literal without prefix letters that change its meaning; `value` is its content."""
    FORMAT = "format"
    """The first literal part of an f-string, or a %-format; `value` is the literal part."""
    ATTRIBUTE = "attribute"
    """A dotted name; `value` is its qualified name, e.g. `torch.cuda.synchronize`."""
    METHOD = "method"
    """A method call on some value; `value` is the method's name, `arguments` their source texts."""
    MEMBER = "member"
    """An attribute of some value that is not called; `value` is its name."""
    IMPORT = "import"
    """An import; `value` is the qualified name that is imported."""


class Site(Value):
    """One place of the source."""

    kind: SiteKind
    text: str
    """The source text that a change would replace."""
    value: str
    line: int
    arguments: tuple[str, ...] = ()
    root: str = "torch"
    """The name under which torch is imported here."""
    target: Target
    sources: tuple[str, ...]
    """Device types whose code is carried over, e.g. `cuda`, `mps`."""


class Change(Value):
    """Put `after` in the place of the site's text."""

    after: str


class Stays(Value):
    """The site can't be carried over."""

    why: str
