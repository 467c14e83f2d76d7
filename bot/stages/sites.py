"""sites: every place of a script where a port rule may have something to say, with the bytes that it covers."""

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from bot.model import Site, SiteKind, Target
from bot.stages.format_fields import pieces
from bot.stages.names import Names, Root
from bot.stages.python_text import PythonText, TextError
from bot.syntax import BOM, children, levels, parsed

DEEPEST = 300
"""Levels of nesting that are read."""
DEVICE_KEYWORDS = frozenset({"device", "map_location", "device_type"})
NOWHERE = Root("", "")
Span = tuple[int, int]


class PortError(Exception):
    """The text is not a Python module; the message says where."""


@dataclass(frozen=True, slots=True)
class Place:
    """A site and the bytes that it covers in the source."""

    site: Site
    start: int
    end: int
    arguments: tuple[Span, ...] = ()
    """The bytes of a call's arguments: other sites may lie in them."""
    quote: str = ""
    """What opens and closes the f-string around it: before Python 3.12 it can't stand inside."""
    dead: bool = False
    """In a function or a class that nothing calls."""
    printed: bool = False
    """Only printed."""


def places(code: str, target: Target, sources: tuple[str, ...]) -> list[Place]:
    """All sites, those inside another one before it, else in the order of the text. Raises PortError."""
    tree = parsed(code)
    if tree is None:
        raise PortError("Python does not accept it")
    nodes = [*islice(levels(tree), DEEPEST + 1)]
    if len(nodes) > DEEPEST:
        raise PortError("it is nested too deeply")
    content = code.encode()
    skipped = len(BOM.encode()) if code.startswith(BOM) else 0
    whole = PythonText(content)
    text = PythonText(content[skipped:], whole, skipped) if skipped else whole
    walk = _Walk(Names(chain.from_iterable(nodes)), whole, target, sources)
    try:
        walk.visit(tree, text)
    except TextError as error:
        raise PortError("its places can't be told: the parser's positions don't agree with the text") from error
    return sorted(walk.found, key=lambda place: (place.end, -place.start))


class _Walk:
    """Goes through a tree and writes down its sites."""

    def __init__(self, names: Names, whole: PythonText, target: Target, sources: tuple[str, ...]) -> None:
        self._whole = whole
        self.found: list[Place] = []
        self._names = names
        self._target = target
        self._sources = sources
        self._quote = ""
        self._dead = self._printed = False

    def visit(self, node: ast.AST, text: PythonText) -> None:
        """The node's own sites, and those of what is below it."""
        own = _VISITS.get(type(node))
        for child in own(self, node, text) if own else children(node):
            self.visit(child, text)

    def _expression(self, node: ast.Expr, text: PythonText) -> Iterable[ast.AST]:
        """A string that is a statement is a docstring or a remark."""
        value = node.value
        if not isinstance(value, ast.Constant):
            self._printed = (
                isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "print"
            )
            self.visit(value, text)
            self._printed = False
        return ()

    def _definition(self, node: Any, text: PythonText) -> Iterable[ast.AST]:
        outer, self._dead = self._dead, self._dead or self._names.unused(node)
        for child in children(node):
            self.visit(child, text)
        self._dead = outer
        return ()

    def _compare(self, node: ast.Compare, text: PythonText) -> Iterable[ast.AST]:
        """`torch.cuda.device_count() < 2`"""
        first, number = node.left, node.comparators[0]
        known = self._of_torch(first.func) if isinstance(first, ast.Call) else None
        if known and isinstance(number, ast.Constant) and len(node.ops) == 1:
            compared = (text.span(first)[1], text.span(number)[1])
            self._add(SiteKind.COMPARISON, text.span(node), known[0], root=known[1], arguments=(compared,), gone=True)
        return node.left, *node.comparators

    def _constant(self, node: ast.Constant, text: PythonText) -> Iterable[ast.AST]:
        if isinstance(node.value, str):
            self._add(SiteKind.STRING, text.span(node), node.value)
        return ()

    def _sum(self, node: ast.BinOp, text: PythonText) -> Iterable[ast.AST]:
        """`"cuda:" + str(index)` is a format too."""
        first = node.left
        if isinstance(node.op, ast.Add) and isinstance(first, ast.Constant) and str(first.value).endswith(":"):
            self._add(SiteKind.FORMAT, text.span(first), str(first.value))
        return node.left, node.right

    def _format(self, node: ast.JoinedStr, text: PythonText) -> Iterable[ast.AST]:
        """A device's name before the only field, or without a field: with more text behind it, it is prose."""
        start, end = text.span(node)
        source = text.slice(start, end)
        outer = self._quote
        for piece in pieces(source) if self._is_told(source) else ():
            self._quote = piece.quote
            span = (start + piece.start, start + piece.end)
            if piece.text is not None:
                self._add(SiteKind.STRING if piece.alone else SiteKind.FORMAT, span, piece.text)
            elif (field := parsed(f"({source.encode()[piece.start : piece.end].decode()})")) is not None:
                self._field(field.body[0], text.inside(*span))
        self._quote = outer
        return ()

    def _field(self, statement: ast.stmt, text: PythonText) -> None:
        """The expression between an f-string's braces."""
        if isinstance(statement, ast.Expr):
            self.visit(statement.value, text)

    def _is_told(self, source: str) -> bool:
        """Can there be a site in an f-string? A name of the source device, or one that was imported for it."""
        low = source.lower()
        return (
            any(one in low for one in self._sources)
            or "is_" in low
            or any(map(source.__contains__, self._names.of_torch))
        )

    def _attribute(self, node: ast.Attribute, text: PythonText) -> Iterable[ast.AST]:
        """The longest dotted name that starts at torch; else the last name as a member of some value."""
        known = self._of_torch(node)
        if known:
            self._add(SiteKind.ATTRIBUTE, text.span(node), known[0], root=known[1])
            return ()
        self._add(SiteKind.MEMBER, text.member(node), node.attr)
        return (node.value,)

    def _name(self, node: ast.Name, text: PythonText) -> Iterable[ast.AST]:
        known = self._of_torch(node)
        if known and known[0] != "torch":
            self._add(SiteKind.NAME, text.span(node), known[0], root=known[1])
        return ()

    def _call(self, node: ast.Call, text: PythonText) -> Iterable[ast.AST]:
        """A method call covers the dot, the name and the arguments, not the value that it is called on."""
        known = self._of_torch(node.func)
        arguments = text.arguments(node)
        spans = tuple(span for _, span in arguments)
        start, end = text.span(node)
        if known:
            callee = text.slice(*text.span(node.func))
            self._add(SiteKind.CALL, (start, end), known[0], root=known[1], arguments=spans, callee=callee)
        elif isinstance(node.func, ast.Attribute) and not self._names.own_method(node.func.value, node.func.attr):
            span = (text.dot(node.func), end)
            self._add(SiteKind.METHOD, span, node.func.attr, arguments=spans)
        self._numbers(node, known[0] if known else "", text)
        if known or not isinstance(node.func, ast.Attribute):
            return node.func, *node.args, *node.keywords
        return node.func.value, *node.args, *node.keywords

    def _numbers(self, node: ast.Call, name: str, text: PythonText) -> None:
        """Whole numbers that are devices."""
        named = [one.value for one in node.keywords if one.arg in DEVICE_KEYWORDS]
        moves = name == "torch.device" or (not name and isinstance(node.func, ast.Attribute) and node.func.attr == "to")
        for one in [*named, *(node.args[:1] if moves else ())]:
            if isinstance(one, ast.Constant) and type(one.value) is int:
                self._add(SiteKind.INTEGER, text.span(one), str(one.value))

    def _import(self, node: ast.Import | ast.ImportFrom, text: PythonText) -> Iterable[ast.AST]:
        if not getattr(node, "level", 0):
            spans = tuple(map(text.span, node.names))
            self._add(SiteKind.IMPORT, text.span(node), getattr(node, "module", "") or "", arguments=spans)
        return ()

    def _assign(self, node: ast.Assign, text: PythonText) -> Iterable[ast.AST]:
        """A switch that is set, with nothing else done on the way."""
        targets = [one for target in node.targets for one in getattr(target, "elts", [target])]
        switches = [self._switch(one) for one in targets]
        calls = any(isinstance(one, ast.Call) for one in ast.walk(node.value))
        if all(switches) and not calls:
            value = min(switches)
            self._add(SiteKind.STATEMENT, text.span(node), value, arguments=(text.span(node.value),), gone=True)
        return *node.targets, node.value

    def _switch(self, target: ast.expr) -> str:
        """`torch.backends.cudnn.enabled`, `os.environ[NAME]`; empty for what is none."""
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
            known = self._names.qualified(target.value)
            return f"{known[0]}[{target.slice.value!s}]" if known else ""
        known = self._of_torch(target)
        return known[0] if known else ""

    def _of_torch(self, node: ast.expr) -> tuple[str, Root] | None:
        known = self._names.qualified(node)
        return known if known and f"{known[0]}.".startswith("torch.") else None

    def _add(
        self,
        kind: SiteKind,
        span: Span,
        value: str,
        *,
        root: Root = NOWHERE,
        arguments: Sequence[Span] = (),
        callee: str = "",
        gone: bool = False,
    ) -> None:
        """`gone`: a change of it leaves nothing of its arguments."""
        site = Site(
            kind=kind,
            text=self._whole.slice(*span),
            value=value,
            line=self._whole.line(span[0]),
            arguments=tuple(self._whole.slice(*one).strip() for one in arguments),
            callee=callee,
            root=root.name,
            module=root.module,
            target=self._target,
            sources=self._sources,
        )
        self.found.append(Place(site, *span, () if gone else tuple(arguments), self._quote, self._dead, self._printed))


_VISITS: dict[type[ast.AST], Callable[[_Walk, Any, PythonText], Iterable[ast.AST]]] = {
    ast.ClassDef: _Walk._definition,
    ast.FunctionDef: _Walk._definition,
    ast.AsyncFunctionDef: _Walk._definition,
    ast.Compare: _Walk._compare,
    ast.Expr: _Walk._expression,
    ast.Constant: _Walk._constant,
    ast.BinOp: _Walk._sum,
    ast.JoinedStr: _Walk._format,
    ast.Attribute: _Walk._attribute,
    ast.Name: _Walk._name,
    ast.Call: _Walk._call,
    ast.Import: _Walk._import,
    ast.ImportFrom: _Walk._import,
    ast.Assign: _Walk._assign,
}
