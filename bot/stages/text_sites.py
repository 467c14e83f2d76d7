"""text_sites: the places in strings: devices and formats, the fields of f-strings, and code that a string holds."""

import ast
import re
from itertools import chain, islice

from bot.model import Around, SiteKind
from bot.stages.call_sites import shown
from bot.stages.facts import Facts
from bot.stages.format_fields import pieces
from bot.stages.names import Names
from bot.stages.python_text import PythonText
from bot.stages.walk import Below, Walk
from bot.syntax import levels, parsed

DEEPEST = 60
"""Levels of nesting that are read of code in a string."""
LITERAL = re.compile(r"(?P<prefix>[rRuU]?)(?P<quote>'''|\"\"\"|'|\")(?P<body>.*)(?P=quote)\Z", re.DOTALL)
CODE = re.compile(r"\.(?:cuda|mps)\b|[\"'](?:cuda|mps)(?::\d+)?[\"']")
WORD = re.compile(r"\w+")
TELLING = ("is_", "backends", "cudnn", "nccl")
"""What parts of torch may be called in an f-string, that the source device's name is not in."""
NAME = re.compile(r"[\w.:]+\Z")


def constant(walk: Walk, node: ast.Constant, text: PythonText) -> Below:
    """A string; one that holds code is gone through as code."""
    if isinstance(node.value, str) and id(node) not in walk.arms:
        span = text.span(node)
        if not _code(walk, node.value, span, text):
            walk.add(SiteKind.STRING, span, node.value, around=_checked(walk, node))
    return ()


def join(walk: Walk, node: ast.BinOp, text: PythonText) -> Below:
    """`"cuda:" + str(index)` is a format too."""
    first = node.left
    if isinstance(node.op, ast.Add) and isinstance(first, ast.Constant) and str(first.value).endswith(":"):
        walk.add(SiteKind.FORMAT, text.span(first), str(first.value))
    return node.left, node.right


def form(walk: Walk, node: ast.JoinedStr, text: PythonText) -> Below:
    """A device's name before the only field, or without a field: with more text behind it, it is prose."""
    start, end = text.span(node)
    source = text.slice(start, end)
    around = _checked(walk, node)
    if not around and not _is_told(walk, source):
        return ()
    printed = walk.printed
    value = "".join(str(one.value) if isinstance(one, ast.Constant) else "x" for one in node.values)
    if _speaks_of_code(value) and parsed(value) is not None:
        walk.add(SiteKind.STRING, (start, end), value)
    outer = walk.quote
    content = source.encode()
    for piece in pieces(source):
        walk.quote = piece.quote
        span = (start + piece.start, start + piece.end)
        if piece.text is not None:
            walk.add(SiteKind.STRING if piece.alone else SiteKind.FORMAT, span, piece.text, around=around)
        elif (field := parsed(f"({content[piece.start : piece.end].decode()})")) is not None:
            _field(walk, field.body[0], text.inside(*span), printed=printed)
    walk.quote = outer
    return ()


def _field(walk: Walk, statement: ast.stmt, text: PythonText, *, printed: bool) -> None:
    """The expression between an f-string's braces."""
    if isinstance(statement, ast.Expr):
        if printed:
            shown(walk, statement.value)
        walk.visit(statement.value, text)


def _checked(walk: Walk, node: ast.expr) -> tuple[Around, ...]:
    return (Around.CHECKED,) if id(node) in walk.facts.checked else ()


def _is_told(walk: Walk, source: str) -> bool:
    """Can there be a site in an f-string? A name of the source device, or one that was imported for it."""
    low = source.lower()
    named = any(one in low for one in (*walk.sources, *TELLING))
    return named or not walk.names.of_torch.isdisjoint(WORD.findall(source))


def _speaks_of_code(value: str) -> bool:
    return CODE.search(value) is not None and NAME.match(value) is None


def _code(walk: Walk, value: str, span: tuple[int, int], text: PythonText) -> bool:
    """Go through code in a string, as it stands there; False for what is none, or isn't spelled as it is read."""
    if walk.inner or walk.quote or not _speaks_of_code(value):
        return False
    literal = LITERAL.match(text.slice(*span))
    tree = parsed(value) if literal and literal["body"] == value and not (literal["prefix"] and "\\" in value) else None
    nodes = [*islice(levels(tree), DEEPEST + 1)] if tree else []
    if literal is None or tree is None or len(nodes) > DEEPEST:
        return False
    if any(isinstance(node, ast.JoinedStr) for node in chain.from_iterable(nodes)):
        return False
    outer, facts = walk.names, walk.facts
    flat = [*chain.from_iterable(nodes)]
    walk.names, walk.facts = Names(flat, outer=outer), Facts(flat, facts)
    walk.inner, walk.quote = True, literal["quote"]
    start = span[0] + literal.start("body")
    walk.visit(tree, PythonText(walk.whole.content[start : start + len(value.encode())], walk.whole, start))
    walk.names, walk.facts, walk.inner, walk.quote = outer, facts, False, ""
    return True
