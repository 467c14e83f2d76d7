"""Output that Python would accept: `tensor([1.])` is what a tensor prints, and no call that anybody wrote."""

import ast

from bot.syntax import dotted

SHOWN = frozenset({"tensor", "Parameter", "array", "Size", "OrderedDict", "device", "nan", "matrix", "Tensor"})
TYPES = ("torch.Size", "torch.device", "torch.return_types", "torch.finfo", "torch.iinfo")


def is_output(tree: ast.Module) -> bool:
    """Is every statement a value as it is printed?"""
    bound = _bound(tree)
    return all(_printed(statement, bound) for statement in tree.body)


def without_output(code: str, tree: ast.Module) -> tuple[str, str]:
    """The code, and the printed values behind its last statement that would only raise NameError."""
    bound = _bound(tree)
    last = len(tree.body)
    while last > 1 and _printed(tree.body[last - 1], bound):
        last -= 1
    if not any(_needs_name(statement) for statement in tree.body[last:]):
        return code, ""
    lines = code.splitlines(keepends=True)
    end = tree.body[last - 1].end_lineno or len(lines)
    return "".join(lines[:end]), "".join(lines[end:]).strip()


def _bound(tree: ast.Module) -> set[str]:
    """Names that the code itself gives a meaning."""
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    imported = (node.names for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    return named | {alias.asname or alias.name for aliases in imported for alias in aliases}


def _printed(statement: ast.stmt, bound: set[str]) -> bool:
    """A value, or `label: value`."""
    if isinstance(statement, ast.AnnAssign):
        return statement.value is None and isinstance(statement.target, ast.Name)
    if not isinstance(statement, ast.Assign | ast.Expr):
        return False
    calls = [node for node in ast.walk(statement.value) if isinstance(node, ast.Call)]
    if isinstance(statement, ast.Assign):
        return bool(calls) and all(dotted(one.func) == "tensor" and "tensor" not in bound for one in calls)
    return all(_shows(call, bound) for call in calls)


def _shows(call: ast.Call, bound: set[str]) -> bool:
    if isinstance(call.func, ast.Name):
        return call.func.id in SHOWN and call.func.id not in bound
    return (dotted(call.func) or "").startswith(TYPES)


def _needs_name(statement: ast.stmt) -> bool:
    """Would it raise NameError, as printed values do?"""
    return any(isinstance(node, ast.Name) and node.id in SHOWN for node in ast.walk(statement))
