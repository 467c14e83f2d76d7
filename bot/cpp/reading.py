"""A C++ text is read once: scopes, declarations, updates and calls in the order of the text, and what can't be read.

tree-sitter's query finds the nodes that matter; their spans say which scope each belongs to. No regular expression
decides what a scope or a loop is.
"""

from dataclasses import dataclass, field
from functools import cache

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

from bot.cpp import branches, declarators, naming
from bot.cpp.lost import SCOPES, lost
from bot.cpp.macros import quieted
from bot.cpp.overlay import bodies
from bot.cpp.shapes import Call, Declaration, Scope, ScopeKind, Unread, Update

NODES = (
    *SCOPES, "declaration", "field_declaration", "parameter_declaration", "optional_parameter_declaration",
    "alias_declaration", "type_definition", "assignment_expression", "call_expression", "template_type",
    "compound_literal_expression", "subscript_expression", "field_initializer", "if_statement", "preproc_function_def",
)  # fmt: skip
LONGEST_MACRO = 2
"""Lines of a macro's body that nobody misses."""


@dataclass(slots=True, eq=False)
class Source:
    """A file as read."""

    path: str
    content: bytes
    """Its text, attributes blanked: places are those of the file."""
    original: bytes
    trees: list[Tree]
    """Of the file, and of its macros' bodies if it has any."""
    scopes: list[Scope] = field(default_factory=list)
    declarations: list[Declaration] = field(default_factory=list)
    updates: list[Update] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    subscripts: list[tuple[Node, Scope]] = field(default_factory=list)
    """Every `a[i]` that stands inside no other."""
    initialisers: list[tuple[Node, Scope]] = field(default_factory=list)
    """Every `a_(a)` of a constructor."""
    conditions: list[tuple[Node, Scope]] = field(default_factory=list)
    """What is asked by every `if`."""
    macros: list[Node] = field(default_factory=list)
    """Definitions of macros that are longer than a remark."""
    unread: list[Unread] = field(default_factory=list)

    def text(self, node: Node) -> str:
        """The text of a node."""
        return self.content[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def lines(self, first: int, last: int) -> str:
        """The file's own text of these lines, from 1."""
        return "\n".join(self.original.decode("utf-8", "replace").split("\n")[first - 1 : last])

    @property
    def functions(self) -> list[Scope]:
        """Every function, functors' operators among them."""
        return [scope for scope in self.scopes if scope.kind is ScopeKind.FUNCTION]


def read(path: str, text: str) -> Source:
    """Parse a text. Whatever it is, this gives a Source: what is no C++ stands in `unread`."""
    original = text.encode("utf-8", "replace")
    content = quieted(branches.taken(original))
    parser, _ = _tools()
    tree = parser.parse(content)
    source = Source(path, content, original, [tree])
    _walk(source, tree.root_node)
    if source.macros:
        source.content, alone = bodies(content, source.macros)
        source.trees.append(parser.parse(alone))
        _walk(source, source.trees[1].root_node)
    for one in source.trees:
        source.unread += lost(one.root_node)
    source.unread.sort(key=lambda one: (one.line, one.end_line))
    return source


def _walk(source: Source, root: Node) -> None:
    """Sort what a tree has into scopes."""
    captured = QueryCursor(_tools()[1]).captures(root)
    nodes = [(node.start_byte, -node.end_byte, kind, node) for kind, found in captured.items() for node in found]
    nodes.sort(key=lambda one: one[:3])
    stack = [Scope(ScopeKind.FILE, root)]
    source.scopes.append(stack[0])
    for start, _, kind, node in nodes:
        while len(stack) > 1 and stack[-1].node.end_byte <= start:
            stack.pop()
        opened = SCOPES.get(kind)
        if opened is not None:
            _open(source, stack, node, opened)
        else:
            _FOUND[kind](source, stack[-1], node)


@cache
def _tools() -> tuple[Parser, Query]:
    language = Language(tree_sitter_cpp.language())
    return Parser(language), Query(language, "\n".join(f"({kind}) @{kind}" for kind in NODES))


def _open(source: Source, stack: list[Scope], node: Node, kind: ScopeKind) -> None:
    """Enter a scope; a body of braces is its owner's own scope."""
    parent = stack[-1]
    if kind is ScopeKind.BLOCK and parent.node.child_by_field_name("body") == node:
        return
    if kind is ScopeKind.CLASS and node.child_by_field_name("body") is None:
        return
    if (
        kind is ScopeKind.FUNCTION
        and parent.nearest(ScopeKind.FUNCTION, ScopeKind.CLASS) is parent.function is not None
    ):
        kind = ScopeKind.LOOP if b"LOOP" in _head(source, node) else ScopeKind.BLOCK  # MACRO(...) { }
    scope = Scope(kind, node, parent)
    if kind is ScopeKind.TEMPLATE:
        scope.parameters = naming.type_parameters(source.content, node)
        scope.name = next((naming.name_of(source.content, one) for one in node.named_children[-1:]), "")
    elif kind is ScopeKind.LAMBDA:
        scope.macro, scope.macro_arguments = naming.handed_to(source.content, node)
    elif kind in (ScopeKind.CLASS, ScopeKind.NAMESPACE, ScopeKind.FUNCTION):
        scope.name = naming.name_of(source.content, node)
    source.scopes.append(scope)
    stack.append(scope)


def _head(source: Source, node: Node) -> bytes:
    """What stands before a definition's body."""
    body = node.child_by_field_name("body")
    return source.content[node.start_byte : body.start_byte if body else node.end_byte]


def _declare(source: Source, scope: Scope, node: Node) -> None:
    if scope.kind is ScopeKind.CLASS and node.type == "declaration":
        return
    for one in declarators.declared_in(source.content, node, scope):
        scope.names[one.name] = one
        source.declarations.append(one)


def _declare_parameter(source: Source, scope: Scope, node: Node) -> None:
    """Of the function, lambda or template around it; those of a mere prototype are nobody's."""
    if scope.kind not in (ScopeKind.FUNCTION, ScopeKind.LAMBDA, ScopeKind.TEMPLATE):
        return
    body = scope.node.child_by_field_name("body")
    if scope.kind is ScopeKind.TEMPLATE:
        body = scope.node.child_by_field_name("parameters")
        if body is None or node.start_byte > body.end_byte:
            return
    elif body is not None and node.start_byte > body.start_byte:
        return
    _declare(source, scope, node)


def _alias(source: Source, scope: Scope, node: Node) -> None:
    name = node.child_by_field_name("name") or node.child_by_field_name("declarator")
    type_ = node.child_by_field_name("type")
    if name is not None and type_ is not None:
        scope.aliases[source.text(name)] = source.text(type_)


def _assign(source: Source, scope: Scope, node: Node) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return
    name = naming.variable_of(source.content, left)
    source.updates.append(Update(name, source.text(operator), left, right, node, scope))


def _call(source: Source, scope: Scope, node: Node) -> None:
    called = node.child_by_field_name("function" if node.type == "call_expression" else "type") or node
    name, templates, method = naming.callee(source.content, called)
    if name:
        arguments = node.child_by_field_name("arguments") if node.type == "call_expression" else None
        source.calls.append(Call(name, templates, node, scope, method, arguments))


def _subscript(source: Source, scope: Scope, node: Node) -> None:
    last = source.subscripts[-1][0] if source.subscripts else None
    if last is None or node.start_byte >= last.end_byte:
        source.subscripts.append((node, scope))


def _initialiser(source: Source, scope: Scope, node: Node) -> None:
    source.initialisers.append((node, scope))


def _condition(source: Source, scope: Scope, node: Node) -> None:
    if (asked := node.child_by_field_name("condition")) is not None:
        source.conditions.append((asked, scope))


def _macro(source: Source, scope: Scope, node: Node) -> None:  # noqa: ARG001
    if node.end_point[0] - node.start_point[0] > LONGEST_MACRO:
        source.macros.append(node)


_FOUND = {
    "declaration": _declare,
    "field_declaration": _declare,
    "parameter_declaration": _declare_parameter,
    "optional_parameter_declaration": _declare_parameter,
    "alias_declaration": _alias,
    "type_definition": _alias,
    "assignment_expression": _assign,
    "call_expression": _call,
    "template_type": _call,
    "compound_literal_expression": _call,
    "subscript_expression": _subscript,
    "field_initializer": _initialiser,
    "if_statement": _condition,
    "preproc_function_def": _macro,
}
