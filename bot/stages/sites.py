"""sites: every place of a script where a port rule may have something to say, by libcst with its byte positions."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper, PositionProvider, QualifiedNameProvider

from bot.model import Site, SiteKind, Target
from bot.syntax import BOM, depth, parsed

DEEPEST = 300
"""Levels of nesting that are read: libcst's parser takes time by their square, and ends the process far beyond them."""


class PortError(Exception):
    """The text is not a Python module; the message says where."""


@dataclass(frozen=True, slots=True)
class Place:
    """A site and the bytes that it covers in the source."""

    site: Site
    start: int
    end: int
    arguments: tuple[tuple[int, int], ...] = ()
    """The bytes of a method call's arguments: other sites may lie in them."""
    quote: str = ""
    """What opens and closes the f-string around it: before Python 3.12 it can't stand inside."""


def places(code: str, target: Target, sources: tuple[str, ...]) -> Iterator[Place]:
    """All sites, those inside another one's arguments before it, else in the order of the text. Raises PortError."""
    tree = parsed(code)
    if tree is None:
        raise PortError("Python does not accept it")
    if depth(tree) > DEEPEST:
        raise PortError("it is nested too deeply")
    try:
        module = cst.parse_module(code)
        visitor = _Visitor(code.encode(), target, sources)
        if module.code != code.removeprefix(BOM):  # a form feed, for one
            raise PortError("its places can't be told: the parser does not give the same text back")
        MetadataWrapper(module, unsafe_skip_copy=True).visit(visitor)
    except cst.ParserSyntaxError as error:
        raise PortError(f"line {error.raw_line}: {error.message.splitlines()[0]}") from error
    except RecursionError as error:
        raise PortError("it is nested too deeply") from error
    found = (place for place, made_by in visitor.found if not (made_by and made_by <= visitor.own(place.site.value)))
    yield from sorted(found, key=lambda place: (place.end, -place.start))


class _Visitor(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (ByteSpanPositionProvider, PositionProvider, QualifiedNameProvider)

    def __init__(self, source: bytes, target: Target, sources: tuple[str, ...]) -> None:
        super().__init__()
        self.found: list[tuple[Place, frozenset[str]]] = []
        """Each with the classes of the script that its value may be of, where that can be told."""
        self._methods: dict[str, set[str]] = {}
        self._made_by: dict[str, set[str]] = {}
        self._quotes = [""]
        self._source = source
        self._skipped = len(BOM.encode()) if source.startswith(BOM.encode()) else 0
        self._target = target
        self._sources = sources

    def own(self, method: str) -> set[str]:
        """The script's classes that define this method themselves."""
        return {name for name, methods in self._methods.items() if method in methods}

    def visit_ClassDef(self, node: cst.ClassDef) -> None:  # noqa: N802
        """What a class of the script can do."""
        methods = {one.name.value for one in node.body.body if isinstance(one, cst.FunctionDef)}
        self._methods[node.name.value] = methods

    def visit_Assign(self, node: cst.Assign) -> None:  # noqa: N802
        """What a variable may hold: the callable's name, or nothing that can be told."""
        for target in node.targets:
            if isinstance(target.target, cst.Name):
                self._made_by.setdefault(target.target.value, set()).update(_maker(node.value) or {""})

    def visit_Expr(self, node: cst.Expr) -> bool:  # noqa: N802
        """A string that is a statement is a docstring or a remark."""
        return not isinstance(node.value, cst.SimpleString | cst.ConcatenatedString)

    def visit_SimpleString(self, node: cst.SimpleString) -> None:  # noqa: N802
        """A literal that stands for itself: no byte strings."""
        if isinstance(node.evaluated_value, str):
            self._add(SiteKind.STRING, node, node.evaluated_value)

    def visit_ConcatenatedString(self, node: cst.ConcatenatedString) -> bool:  # noqa: N802
        """Literals side by side are one string: none of them stands for itself, only their fields are code."""
        if isinstance(node.evaluated_value, str):
            self._add(SiteKind.STRING, node, node.evaluated_value)
        for half in (node.left, node.right):
            if isinstance(half, cst.FormattedString):
                self._quotes.append(half.end)
                for part in half.parts:
                    part.visit(self)
                self._quotes.pop()
        if isinstance(node.right, cst.ConcatenatedString):
            self.visit_ConcatenatedString(node.right)
        return False

    def visit_BinaryOperation(self, node: cst.BinaryOperation) -> None:  # noqa: N802
        """`"cuda:" + str(index)` is a format too."""
        if isinstance(node.operator, cst.Add) and isinstance(node.left, cst.SimpleString):
            prefix = node.left.evaluated_value
            if isinstance(prefix, str) and prefix.endswith(":"):
                self._add(SiteKind.FORMAT, node.left, prefix)

    def visit_FormattedString(self, node: cst.FormattedString) -> None:  # noqa: N802
        """A device's name before the only field, or without a field: with more text behind it, it is prose."""
        self._quotes.append(node.end)
        first = node.parts[0] if node.parts else None
        if isinstance(first, cst.FormattedStringText) and len(node.parts) <= 2:
            kind = SiteKind.FORMAT if len(node.parts) > 1 else SiteKind.STRING
            self._add(kind, first, first.value)

    def leave_FormattedString(self, original_node: cst.FormattedString) -> None:  # noqa: N802, ARG002
        """Its quote counts no more."""
        self._quotes.pop()

    def visit_Attribute(self, node: cst.Attribute) -> bool:  # noqa: N802
        """The longest dotted name that starts at torch; else the last name as a member of some value."""
        qualified = self._qualified(node)
        if qualified and qualified.startswith("torch."):
            self._add(SiteKind.ATTRIBUTE, node, qualified, root=self._torch(node))
            return False
        self._add(SiteKind.MEMBER, node.attr, node.attr.value)
        return True

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802
        """A method call covers the dot, the name and the arguments, not the value that it is called on."""
        if isinstance(node.func, cst.Attribute) and not (self._qualified(node.func) or "").startswith("torch."):
            before_dot = node.func.dot.whitespace_before
            span = self._span(before_dot)[1], self._span(node)[1]
            arguments = tuple(self._argument(argument) for argument in node.args)
            line = self.get_metadata(PositionProvider, before_dot).end.line
            value = node.func.value
            made_by = self._made_by.get(value.value, set()) if isinstance(value, cst.Name) else _maker(value)
            self._add_span(
                SiteKind.METHOD, line, node.func.attr.value, span, arguments=arguments, made_by=frozenset(made_by)
            )

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:  # noqa: N802
        """`from torch.cuda import x`, `from torch import cuda`."""
        module = _dotted(node.module)
        names = [] if isinstance(node.names, cst.ImportStar) else [_dotted(alias.name) for alias in node.names]
        self._add(SiteKind.IMPORT, node, _telling([module, *(f"{module}.{name}" for name in names)], self._sources))
        return False

    def visit_Import(self, node: cst.Import) -> bool:  # noqa: N802
        """`import torch.cuda`."""
        self._add(SiteKind.IMPORT, node, _telling([_dotted(alias.name) for alias in node.names], self._sources))
        return False

    def _qualified(self, node: cst.CSTNode) -> str | None:
        """A dotted name as torch knows it, whatever it is called here; None for an attribute of some value.

        A script that forgot `import torch` means torch by `torch`.
        """
        root = _root(node) if isinstance(node, cst.Attribute) else None
        if root is None:
            return None
        names: Collection[object] = self.get_metadata(QualifiedNameProvider, node, set())
        known = next((name.name for name in names if hasattr(name, "name")), None)
        return known or (_dotted(node) if root.value == "torch" else None)

    def _torch(self, node: cst.Attribute) -> str:
        """The name at the left end if it is torch itself; empty where it is a part of torch that was imported."""
        root = _root(node)
        names: Collection[object] = self.get_metadata(QualifiedNameProvider, root, set()) if root else ()
        whole = not names or any(getattr(name, "name", None) == "torch" for name in names)
        return root.value if root and whole else ""

    def _argument(self, argument: cst.Arg) -> tuple[int, int]:
        """Without what stands behind it: a comma, a remark."""
        behind = argument.comma if isinstance(argument.comma, cst.Comma) else argument.whitespace_after_arg
        return self._span(argument)[0], self._span(behind)[0]

    def _span(self, node: cst.CSTNode) -> tuple[int, int]:
        span = self.get_metadata(ByteSpanPositionProvider, node)
        return span.start + self._skipped, span.start + span.length + self._skipped

    def _text(self, start: int, end: int) -> str:
        return self._source[start:end].decode()

    def _add(self, kind: SiteKind, node: cst.CSTNode, value: str, root: str = "torch") -> None:
        self._add_span(kind, self.get_metadata(PositionProvider, node).start.line, value, self._span(node), root=root)

    def _add_span(
        self,
        kind: SiteKind,
        line: int,
        value: str,
        span: tuple[int, int],
        *,
        root: str = "torch",
        arguments: tuple[tuple[int, int], ...] = (),
        made_by: frozenset[str] = frozenset(),
    ) -> None:
        site = Site(
            kind=kind,
            text=self._text(*span),
            value=value,
            line=line,
            arguments=tuple(self._text(*one).strip() for one in arguments),
            root=root,
            target=self._target,
            sources=self._sources,
        )
        self.found.append((Place(site, *span, arguments, self._quotes[-1]), made_by))


def _dotted(node: cst.CSTNode | None) -> str:
    """Source of a dotted name."""
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def _maker(value: cst.BaseExpression) -> set[str]:
    """The name that is called to make this value, if it is a plain one."""
    return {value.func.value} if isinstance(value, cst.Call) and isinstance(value.func, cst.Name) else set()


def _root(node: cst.Attribute) -> cst.Name | None:
    """The name at the left end, under which torch is known here."""
    value: cst.BaseExpression = node
    while isinstance(value, cst.Attribute):
        value = value.value
    return value if isinstance(value, cst.Name) else None


def _telling(names: list[str], sources: tuple[str, ...]) -> str:
    """The first name that is of a source device, else the first."""
    ours = (name for name in names if any(name.startswith(f"torch.{source}") for source in sources))
    return next(ours, names[0] if names else "")
