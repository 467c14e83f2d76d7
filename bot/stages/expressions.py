"""expressions: what an expression can be, as far as it stands there."""

import ast
from collections.abc import Callable, Mapping
from typing import Any

MAKES_PATTERN = frozenset({"compile", "escape"})
"""What they make of a text stands for it."""


def last(node: ast.expr) -> str:
    """The last name of a name or an attribute; empty of anything else."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_none(node: ast.expr) -> bool:
    """`None`, or `options.get("device")`."""
    asked = isinstance(node, ast.Call) and last(node.func) == "get" and len(node.args) == 1 and not node.keywords
    return asked or (isinstance(node, ast.Constant) and node.value is None)


def can_be_none(node: ast.expr) -> bool:
    """Is it None, or one of its arms or elements?"""
    return any(is_none(one) for one in (node, *held(node)))


def held(node: ast.expr) -> list[ast.expr]:
    """The expressions of which one is the value of another one, an element of it, or what it is made of."""
    inner = _HELD.get(type(node))
    return inner(node) if inner else []


def _of_call(node: ast.Call) -> list[ast.expr]:
    """`re.compile("...")`, `"...".lower()`"""
    if last(node.func) in MAKES_PATTERN:
        return node.args[:1]
    return [node.func.value] if isinstance(node.func, ast.Attribute) else []


_HELD: Mapping[type[ast.AST], Callable[[Any], list[ast.expr]]] = {
    ast.BinOp: lambda node: [node.left, node.right],
    ast.BoolOp: lambda node: node.values,
    ast.Call: _of_call,
    ast.Dict: lambda node: [one for one in node.keys if one],
    ast.IfExp: lambda node: [node.body, node.orelse],
    ast.List: lambda node: node.elts,
    ast.NamedExpr: lambda node: [node.value],
    ast.Set: lambda node: node.elts,
    ast.Starred: lambda node: [node.value],
    ast.Subscript: lambda node: [node.value],
    ast.Tuple: lambda node: node.elts,
}
