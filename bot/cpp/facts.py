"""What a file says that other files need to know: who uses whom with which types, who registers what, who checks what.

Plain lists of texts, so that a cache can keep them: no tree, no scope.
"""

from dataclasses import asdict, dataclass, field
from typing import Any

UNKNOWN = "?"
"""A type of which nothing is known."""


@dataclass(slots=True)
class Unit:
    """A function, or a functor with all that is in it."""

    name: str
    line: int
    end_line: int
    parameters: list[str] = field(default_factory=list)
    """Its template's type parameters, by position."""
    deduced: list[int] = field(default_factory=list)
    """For each the argument that it can be read from, or -1."""
    functor: bool = False
    structured: bool = False
    """Of `TORCH_IMPL_FUNC`: its arguments are checked by code of every device."""
    head: int = 0
    """The last line of a function's head."""
    checks: list[list[Any]] = field(default_factory=list)
    """Of each check line, name, condition, message and what is asked around it."""
    dtypes: list[str] = field(default_factory=list)
    """Element types that its dispatches let through."""
    hands: list[list[Any]] = field(default_factory=list)
    """Memory that it hands on unfilled: what is called, which argument, and which of its own parameters it is, or -1
    for what it allocated itself."""
    asks_empty: bool = False
    """Does it ask whether there is any element?"""


@dataclass(slots=True)
class Use:
    """A unit mentions another one."""

    unit: str
    name: str
    line: int
    types: list[str] = field(default_factory=list)
    """Of the template arguments: `narrow`, `wide`, `integer`, `?`, or `UNIT.PARAMETER` of the mentioning unit."""
    values: list[str] = field(default_factory=list)
    """The same of the arguments of a call."""


@dataclass(slots=True)
class Facts:
    """One file's."""

    path: str
    units: list[Unit] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    registered: list[tuple[str, str]] = field(default_factory=list)
    """Stub and function of `REGISTER_XPU_DISPATCH`."""
    unread: list[tuple[int, int, str]] = field(default_factory=list)
    library: list[tuple[str, str, str, int]] = field(default_factory=list)
    """Dispatch key, operator, function and line of what it registers with the dispatcher."""
    fallbacks: list[tuple[str, int]] = field(default_factory=list)
    """Operators that it leaves to the CPU, and where."""
    includes: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """As plain lists."""
        return asdict(self)

    @classmethod
    def of_json(cls, plain: dict[str, Any]) -> "Facts":
        """Back again."""
        return cls(
            plain["path"],
            [Unit(**one) for one in plain["units"]],
            [Use(**one) for one in plain["uses"]],
            [(stub, function) for stub, function in plain["registered"]],
            [(first, last, why) for first, last, why in plain["unread"]],
            [(key, op, function, line) for key, op, function, line in plain["library"]],
            [(op, line) for op, line in plain["fallbacks"]],
            plain["includes"],
        )
