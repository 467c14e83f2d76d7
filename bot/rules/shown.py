"""Output that Python would accept: `tensor([1.])` is what a tensor prints, and no call that anybody wrote."""

import ast
import re

from bot.syntax import dotted, walked

SHOWN = frozenset({"tensor", "Parameter", "array", "Size", "OrderedDict", "device", "nan", "matrix", "Tensor"})
REPRESENTED = re.compile(r"(?:[A-Z][a-z0-9]+){2,}")
"""A class as its object prints itself."""
TYPES = ("torch.Size", "torch.device", "torch.return_types", "torch.finfo", "torch.iinfo")


def is_output(tree: ast.Module) -> bool:
    """Is every statement a value as it is printed?"""
    if not all(map(_printed, tree.body)):
        return False
    names = _bound(tree)
    return not names & SHOWN and not any(map(REPRESENTED.fullmatch, names))


def without_output(code: str, tree: ast.Module) -> tuple[str, str]:
    """The code, and the printed values behind its last statement that would only raise NameError."""
    last = len(tree.body)
    while last > 1 and _printed(tree.body[last - 1]):
        last -= 1
    if not any(_needs_name(statement) for statement in tree.body[last:]) or _bound(tree) & SHOWN:
        return code, ""
    lines = code.splitlines(keepends=True)
    end = tree.body[last - 1].end_lineno or len(lines)
    return "".join(lines[:end]), "".join(lines[end:]).strip()


def _bound(tree: ast.Module) -> set[str]:
    """Names that the code itself gives a meaning."""
    named = {node.id for node in walked(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    imported = (node.names for node in walked(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    return named | {alias.asname or alias.name for aliases in imported for alias in aliases}


def _printed(statement: ast.stmt) -> bool:
    """A value, or `label: value`."""
    if isinstance(statement, ast.AnnAssign):
        return statement.value is None and isinstance(statement.target, ast.Name)
    if not isinstance(statement, ast.Assign | ast.Expr):
        return False
    calls = [node for node in ast.walk(statement.value) if isinstance(node, ast.Call)]
    if isinstance(statement, ast.Assign):
        return bool(calls) and all(dotted(one.func) == "tensor" for one in calls)
    return all(map(_shows, calls))


def _shows(call: ast.Call) -> bool:
    if isinstance(call.func, ast.Name):
        return call.func.id in SHOWN or REPRESENTED.fullmatch(call.func.id) is not None
    return (dotted(call.func) or "").startswith(TYPES)


def _needs_name(statement: ast.stmt) -> bool:
    """Would it raise NameError, as printed values do?"""
    return any(isinstance(node, ast.Name) and node.id in SHOWN for node in ast.walk(statement))
