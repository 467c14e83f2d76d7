"""A place in a script where a port rule may act, and what it may answer. Texts only: the syntax tree stays outside."""

from enum import StrEnum

from bot.model.base import Value
from bot.model.target import Target


class SiteKind(StrEnum):
    """What stands at the site."""

    STRING = "string"
    """A string literal; `value` is its content."""
    FORMAT = "format"
    """The first literal part of an f-string, or a %-format; `value` is the literal part."""
    ATTRIBUTE = "attribute"
    """A dotted name that starts at an import of torch; `value` is its qualified name, e.g. `torch.cuda.synchronize`."""
    NAME = "name"
    """A plain name that was imported from torch; `value` is its qualified name."""
    CALL = "call"
    """A call of one of these two, with its arguments; `value` is the qualified name, `callee` what is called."""
    METHOD = "method"
    """A method call on some value, from its dot on, that speaks of a source device; `value` is the method's name."""
    MEMBER = "member"
    """An attribute of some value whose name speaks of a source device; `value` is that name."""
    IMPORT = "import"
    """An import; `value` is the module that names are taken from, empty for `import x`; `arguments` are the names."""
    INTEGER = "integer"
    """A whole number where a device stands: `device=0`, `.to(1)`; `value` is the number."""
    COMPARISON = "comparison"
    """A torch function's answer compared with a number: `value` is its name, `arguments` operator and number."""
    STATEMENT = "statement"
    """A switch that is set: `value` is what is set, e.g. `torch.backends.cudnn.enabled`; `arguments` is to what."""
    ENTRY = "entry"
    """A dictionary's entry with its comma: `value` is the key, a variable of the environment."""
    MODULE = "module"
    """A part of torch that gets another name, or of which a string names a part: `value` is what is meant then."""
    ANNOTATION = "annotation"
    """A name of torch in an annotation; `value` is its qualified name."""


class Around(StrEnum):
    """What is so around a site, as a rule may need to know."""

    CHECKED = "checked"
    """A text that another text is compared with."""
    MAYBE_NONE = "maybe_none"
    """The device that a call is given may be None."""
    OWN = "own"
    """The script itself makes an attribute of that name."""
    TENSORS = "tensors"
    """The script makes tensors of the default type by that type's name: `torch.Tensor([1.0])`."""


class Site(Value):
    """One place of the source."""

    kind: SiteKind
    text: str
    """The source text that a change would replace."""
    value: str
    line: int
    arguments: tuple[str, ...] = ()
    callee: str = ""
    """Of a call: the source text of what is called; of a method call: the last name of the value."""
    root: str = "torch"
    """The name at the left end, as it is written here."""
    module: str = "torch"
    """What that name is: `torch`, `torch.cuda`, ..."""
    around: tuple[Around, ...] = ()
    target: Target
    sources: tuple[str, ...]
    """Device types whose code is carried over, e.g. `cuda`, `mps`."""


class Change(Value):
    """Put `after` in the place of the site's text."""

    after: str
    whole: bool = False
    """Nothing of its arguments is left: what was said of them is void."""


class Stays(Value):
    """The site can't be carried over."""

    why: str
    harmless: bool = False
    """It may be read on any build of torch, and says nothing about a result."""
    whole: bool = False
    """Its arguments stay with it."""
