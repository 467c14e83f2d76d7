"""scopes: which names a piece of Python uses, and which it binds.

Scopes are not told apart: what is used anywhere counts as used, so that nothing is missing from a script that is made
of parts of a file. Walks go without recursion: no text is too deep for them.
"""

import ast
import builtins
from collections.abc import Iterable, Sequence

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef
NAMED = (*FUNCTIONS, ast.ClassDef)
GIVEN = frozenset({*dir(builtins), "__file__", "__class__", "__name__"})
"""What every module has."""


def used(node: ast.AST) -> set[str]:
    """Names that are read."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}


def attributes(node: ast.AST, of: Iterable[str] = ()) -> set[str]:
    """Attributes that are read, of anything or of these names."""
    owners = frozenset(of)
    return {
        one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute)
        and isinstance(one.ctx, ast.Load)
        and (not owners or (isinstance(one.value, ast.Name) and one.value.id in owners))
    }


def inside(node: ast.AST) -> set[str]:
    """Names that a function binds anywhere inside: parameters, variables, imports, whatever has a name."""
    found: set[str] = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            found |= set() if isinstance(one.ctx, ast.Load) else {one.id}
        elif isinstance(one, ast.arg):
            found.add(one.arg)
        elif isinstance(one, NAMED):
            found.add(one.name)
        elif isinstance(one, ast.Import | ast.ImportFrom):
            found |= imported(one)
        else:
            found |= _named(one)
    return found


def binds(statement: ast.stmt) -> set[str]:
    """Names that a statement binds in its own scope."""
    found: set[str] = set()
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, NAMED):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= imported(node)
        else:
            found |= _named(node)
            waiting += ast.iter_child_nodes(node)
    return found


def imported(node: ast.Import | ast.ImportFrom) -> set[str]:
    """Names that an import binds; `*` is one."""
    return {here(alias, node) for alias in node.names}


def here(alias: ast.alias, node: ast.Import | ast.ImportFrom) -> str:
    """The name that one part of an import binds."""
    first = alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name
    return alias.asname or first


def definitions(body: Sequence[ast.stmt]) -> dict[str, list[ast.stmt]]:
    """Each name that these statements bind -> those that do, in their order."""
    found: dict[str, list[ast.stmt]] = {}
    for statement in body:
        for name in binds(statement):
            found.setdefault(name, []).append(statement)
    return found


def _named(node: ast.AST) -> set[str]:
    """What this node alone binds by a bare name: a variable, an exception, a pattern."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return {node.id}
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        return {node.name}
    return {node.rest} if isinstance(node, ast.MatchMapping) and node.rest else set()
