"""The nouns of a C++ source: scopes, what is declared in them, what is updated and what is called."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from tree_sitter import Node


class ScopeKind(StrEnum):
    """What opened a scope."""

    FILE = "file"
    TEMPLATE = "template"
    NAMESPACE = "namespace"
    CLASS = "class"
    FUNCTION = "function"
    LAMBDA = "lambda"
    LOOP = "loop"
    BLOCK = "block"


@dataclass(slots=True, eq=False)
class Scope:
    """A region of names. Scopes are compared by identity."""

    kind: ScopeKind
    node: Node
    parent: "Scope | None" = None
    name: str = ""
    parameters: tuple[str, ...] = ()
    """Of a template: its parameters by position, empty where one is no type; its name is that of what it makes."""
    names: "dict[str, Declaration]" = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    """`using accscalar_t = ...`: name -> the type's text."""
    macro: str = ""
    """Of a lambda that is an argument: what it is handed to."""
    macro_arguments: str = ""
    """The text of that call up to the lambda."""
    _function: "Scope | bool | None" = field(default=False, repr=False)
    """The function around it, looked up once: every call and name of a file asks. False: nobody has asked yet."""

    @property
    def line(self) -> int:
        """The first line, from 1."""
        return self.node.start_point[0] + 1

    @property
    def end_line(self) -> int:
        """The last line."""
        return self.node.end_point[0] + 1

    def outward(self) -> "Iterator[Scope]":
        """This scope and those around it, from the inside."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def lookup(self, name: str) -> "Declaration | None":
        """What a name is here."""
        return next((scope.names[name] for scope in self.outward() if name in scope.names), None)

    def alias(self, name: str) -> "tuple[str, Scope] | None":
        """What a type's name stands for, and where that was said."""
        return next(((scope.aliases[name], scope) for scope in self.outward() if name in scope.aliases), None)

    def up_to(self, outer: "Scope") -> "Iterator[Scope]":
        """The scopes from here outward, without `outer`."""
        for scope in self.outward():
            if scope is outer:
                return
            yield scope

    def nearest(self, *kinds: ScopeKind) -> "Scope | None":
        """The innermost scope of such a kind."""
        return next((scope for scope in self.outward() if scope.kind in kinds), None)

    @property
    def function(self) -> "Scope | None":
        """The function around this place; a lambda belongs to its function."""
        if self._function is False:
            outer = self.parent.function if self.parent is not None else None
            self._function = self if self.kind is ScopeKind.FUNCTION else outer
        return self._function if isinstance(self._function, Scope) else None

    @property
    def owner(self) -> "Scope | None":
        """What people call the kernel: the functor for its `operator()`, else the function."""
        function = self.function
        inside = function.parent if function else self.nearest(ScopeKind.CLASS)
        while inside is not None and inside.kind is ScopeKind.TEMPLATE:
            inside = inside.parent
        return inside if inside is not None and inside.kind is ScopeKind.CLASS else function

    @property
    def symbol(self) -> str:
        """Its name; empty at file level."""
        owner = self.owner
        return owner.name if owner else ""

    def template_of(self, parameter: str) -> "Scope | None":
        """The template whose parameter this name is."""
        return next((scope for scope in self.outward() if parameter in scope.parameters), None)


@dataclass(slots=True, eq=False)
class Declaration:
    """One declared name."""

    name: str
    type: str
    """As written, without `const`, `&`, `*` of the declarator."""
    scope: Scope
    node: Node
    """The whole declaration; several names may share it."""
    value: Node | None = None
    pointer: int = 0
    array: bool = False
    parameter: bool = False
    reference: bool = False
    member: bool = False

    @property
    def line(self) -> int:
        """Where the declaration begins."""
        return self.node.start_point[0] + 1

    @property
    def end_line(self) -> int:
        """Where it ends."""
        return self.node.end_point[0] + 1


@dataclass(slots=True, eq=False)
class Update:
    """`target op value`: an assignment."""

    name: str
    """The variable at the left end of the target."""
    operator: str
    target: Node
    value: Node
    node: Node
    scope: Scope

    @property
    def line(self) -> int:
        """Where it stands."""
        return self.node.start_point[0] + 1


@dataclass(slots=True, eq=False)
class Call:
    """A call, or a mention of a template with its arguments."""

    name: str
    """The last part of the qualified name."""
    templates: tuple[str, ...]
    node: Node
    scope: Scope
    method: bool = False
    """Called on an object."""
    arguments: Node | None = None

    @property
    def line(self) -> int:
        """Where it stands."""
        return self.node.start_point[0] + 1

    @property
    def end_line(self) -> int:
        """Where it ends."""
        return self.node.end_point[0] + 1


@dataclass(frozen=True, slots=True)
class Unread:
    """Lines that the grammar could not read."""

    line: int
    end_line: int
    why: str
