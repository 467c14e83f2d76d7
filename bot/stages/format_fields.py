"""format_fields: the pieces of an f-string. Before Python 3.12 the standard parser's positions inside one are wrong."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import libcst as cst


class Piece(NamedTuple):
    """A piece of an f-string: `start` and `end` are bytes of its source."""

    start: int
    end: int
    text: str | None
    """What it says, where it is the string's first or only text; None for the expression of a field."""
    alone: bool
    """Is there nothing else in the string?"""
    quote: str


def pieces(source: str) -> list[Piece]:
    """Pieces of an f-string's source, also of several strings side by side. Empty where it can't be read."""
    try:
        tree = cst.parse_expression(source)
    except (cst.ParserSyntaxError, RecursionError):
        return []
    if isinstance(tree, cst.FormattedString):
        return list(_of_string(tree, 0, first=True))
    return list(_of_halves(tree, 0)) if isinstance(tree, cst.ConcatenatedString) else []


def _of_halves(tree: cst.BaseExpression, at: int) -> Iterator[Piece]:
    """Strings side by side: none of them stands for itself, only their fields are code."""
    at += sum(len(_code(one)) for one in tree.lpar) if isinstance(tree, cst.ConcatenatedString) else 0
    if isinstance(tree, cst.ConcatenatedString):
        yield from _of_halves(tree.left, at)
        yield from _of_halves(tree.right, at + len(_code(tree.left)) + len(_code(tree.whitespace_between)))
    elif isinstance(tree, cst.FormattedString):
        yield from _of_string(tree, at, first=False)


def _of_string(tree: cst.FormattedString, at: int, *, first: bool) -> Iterator[Piece]:
    at += sum(len(_code(one)) for one in tree.lpar) + len(tree.start)
    yield from _of_parts(tree.parts, at, tree.end, first=first)


def _of_parts(
    parts: Sequence[cst.BaseFormattedStringContent],
    at: int,
    quote: str,
    *,
    first: bool,
) -> Iterator[Piece]:
    for place, part in enumerate(parts):
        length = len(_code(part))
        if isinstance(part, cst.FormattedStringText):
            if first and place == 0 and len(parts) <= 2:
                yield Piece(at, at + length, part.value, len(parts) == 1, quote)
        elif isinstance(part, cst.FormattedStringExpression):
            start = at + 1 + len(_code(part.whitespace_before_expression))
            yield Piece(start, start + len(_code(part.expression)), None, alone=False, quote=quote)
            if part.format_spec:
                specification = sum(len(_code(one)) for one in part.format_spec)
                yield from _of_parts(part.format_spec, at + length - 1 - specification, quote, first=False)
        at += length


_EMPTY = cst.Module([])


def _code(node: cst.CSTNode) -> bytes:
    return _EMPTY.code_for_node(node).encode()
