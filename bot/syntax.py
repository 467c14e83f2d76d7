"""Whether a text is Python. Text is parsed, never compiled to code and never run."""

import ast
import re
import textwrap
import warnings
from collections.abc import Iterator

BOM = "\ufeff"
"""Python skips it at the beginning of a file."""
UNSEEN = re.compile("[\u200b-\u200f\u2060\ufeff]")
TYPESET = str.maketrans({"\u00a0": " ", "\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'"})
"""What word processors and web pages write for a blank and for quotes."""


def parsed(text: str) -> ast.Module | None:
    """The syntax tree, or None for what Python does not accept, however it fails."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.removeprefix(BOM))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parses(text: str) -> bool:
    """Does Python accept this as a module?"""
    return parsed(text) is not None


def mended(text: str) -> str | None:
    """The text as Python accepts it: as it stands, else moved to the margin, else without what copying put into it."""
    whole = text.removeprefix(BOM)
    margin = textwrap.dedent(whole)
    typed = textwrap.dedent(UNSEEN.sub("", whole).translate(TYPESET))
    return next((one for one in dict.fromkeys((whole, margin, typed)) if parses(one)), None)


def levels(tree: ast.AST) -> Iterator[list[ast.AST]]:
    """The nodes of each level of a tree, from the root; without recursion, so that no text is too deep for it."""
    here = [tree]
    while here:
        yield here
        here = [child for node in here for child in children(node)]


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below one, in the order of the text as a rule; whether a name is read or set is no node here."""
    below: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if type(value) is list:
            below += [one for one in value if isinstance(one, ast.AST)]
        elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
            below.append(value)
    return below
