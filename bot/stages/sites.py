"""sites: every place of a script where a port rule may have something to say, by libcst with its byte positions."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper, PositionProvider, QualifiedNameProvider

from bot.model import Site, SiteKind, Target


class PortError(Exception):
    """The text is not a Python module; the message says where."""


@dataclass(frozen=True, slots=True)
class Place:
    """A site and the bytes that it covers in the source."""

    site: Site
    start: int
    end: int


def places(code: str, target: Target, sources: tuple[str, ...]) -> Iterator[Place]:
    """All sites in the order of the text. Raises PortError."""
    try:
        wrapper = MetadataWrapper(cst.parse_module(code), unsafe_skip_copy=True)
        visitor = _Visitor(code.encode(), target, sources)
        wrapper.visit(visitor)
    except cst.ParserSyntaxError as error:
        raise PortError(f"line {error.raw_line}: {error.message.splitlines()[0]}") from error
    except RecursionError as error:
        raise PortError("it is nested too deeply") from error
    yield from sorted(visitor.found, key=lambda place: (place.start, place.end))


class _Visitor(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (ByteSpanPositionProvider, PositionProvider, QualifiedNameProvider)

    def __init__(self, source: bytes, target: Target, sources: tuple[str, ...]) -> None:
        super().__init__()
        self.found: list[Place] = []
        self._source = source
        self._target = target
        self._sources = sources

    def visit_SimpleString(self, node: cst.SimpleString) -> None:  # noqa: N802
        """A literal that stands for itself: no byte strings, no docstrings (they are expressions of their own)."""
        if "b" not in node.prefix.lower() and isinstance(node.evaluated_value, str):
            self._add(SiteKind.STRING, node, node.evaluated_value)

    def visit_FormattedString(self, node: cst.FormattedString) -> None:  # noqa: N802
        """Only the part before the first field can name a device."""
        first = node.parts[0] if node.parts else None
        if isinstance(first, cst.FormattedStringText):
            kind = SiteKind.FORMAT if len(node.parts) > 1 else SiteKind.STRING
            self._add(kind, first, first.value)

    def visit_Attribute(self, node: cst.Attribute) -> bool:  # noqa: N802
        """The longest dotted name that starts at torch; else the last name as a member of some value."""
        qualified = self._qualified(node)
        root = _root(node)
        if qualified and qualified.startswith("torch."):
            self._add(SiteKind.ATTRIBUTE, node, qualified, root=root or "torch")
            return False
        self._add(SiteKind.MEMBER, node.attr, node.attr.value)
        return True

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802
        """A method call covers the dot, the name and the arguments, not the value that it is called on."""
        if isinstance(node.func, cst.Attribute) and not (self._qualified(node.func) or "").startswith("torch."):
            begin = self._end(node.func.value)
            arguments = tuple(self._text(argument).rstrip(", \n") for argument in node.args)
            self._add_span(SiteKind.METHOD, node, node.func.attr.value, begin, self._end(node), arguments=arguments)

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
        """A dotted name as torch knows it, whatever it is called here; None for an attribute of some value."""
        if not isinstance(node, cst.Attribute) or _root(node) is None:
            return None
        names: Collection[object] = self.get_metadata(QualifiedNameProvider, node, set())
        return next((name.name for name in names if hasattr(name, "name")), None)

    def _end(self, node: cst.CSTNode) -> int:
        span = self.get_metadata(ByteSpanPositionProvider, node)
        return int(span.start + span.length) + len(getattr(node, "rpar", ()))

    def _text(self, node: cst.CSTNode) -> str:
        span = self.get_metadata(ByteSpanPositionProvider, node)
        return self._source[span.start : span.start + span.length].decode()

    def _add(self, kind: SiteKind, node: cst.CSTNode, value: str, root: str = "torch") -> None:
        span = self.get_metadata(ByteSpanPositionProvider, node)
        self._add_span(kind, node, value, span.start, span.start + span.length, root=root)

    def _add_span(
        self,
        kind: SiteKind,
        node: cst.CSTNode,
        value: str,
        start: int,
        end: int,
        *,
        root: str = "torch",
        arguments: tuple[str, ...] = (),
    ) -> None:
        line = self.get_metadata(PositionProvider, node).start.line
        text = self._source[start:end].decode()
        site = Site(
            kind=kind,
            text=text,
            value=value,
            line=line,
            arguments=arguments,
            root=root,
            target=self._target,
            sources=self._sources,
        )
        self.found.append(Place(site, start, end))


def _dotted(node: cst.CSTNode | None) -> str:
    """Source of a dotted name."""
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def _root(node: cst.Attribute) -> str | None:
    """The name at the left end, under which torch is known here."""
    value: cst.BaseExpression = node
    while isinstance(value, cst.Attribute):
        value = value.value
    return value.value if isinstance(value, cst.Name) else None


def _telling(names: list[str], sources: tuple[str, ...]) -> str:
    """The first name that is of a source device, else the first."""
    ours = (name for name in names if any(name.startswith(f"torch.{source}") for source in sources))
    return next(ours, names[0] if names else "")
