"""Whether a text is Python, and which names it uses. Text is parsed, never compiled to code and never run."""

import ast
import builtins
import contextlib
import io
import symtable
import tokenize
import warnings
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

BOM = "\ufeff"
"""Python skips it at the beginning of a file."""
STATEMENTS = 2_000
"""Statements of a script whose order is looked at."""
BUILT_IN = frozenset({*dir(builtins), "__file__", "__annotations__"})


class Names(NamedTuple):
    """The names of a module."""

    bound: frozenset[str]
    """Bound at its top level."""
    free: frozenset[str]
    """Used somewhere in it and bound nowhere where they are used; built-in ones left out."""


@lru_cache(maxsize=16)
def parsed(text: str) -> ast.Module | None:
    """The syntax tree, or None for what Python does not accept, however it fails. It is shared: nobody changes it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.removeprefix(BOM))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=8)
def walked(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes of a module, breadth first: walking is slow, and many ask."""
    return tuple(ast.walk(tree))


def parses(text: str) -> bool:
    """Does Python accept this as a module?"""
    return parsed(text) is not None


def broken_at(text: str) -> int | None:
    """The line, from 1, at which Python stops to understand the text; None where it does, or gives no line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text.removeprefix(BOM))
    except SyntaxError as error:
        return error.lineno
    except (ValueError, RecursionError, MemoryError):
        return None
    return None


@lru_cache(maxsize=16)
def names(code: str) -> Names | None:
    """Which names a module binds and lacks; None where Python does not accept it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            top = symtable.symtable(code.removeprefix(BOM), "thread", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    bound = {one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_imported()}
    bound |= {one.get_name() for one in _inner_globals(top)}
    used = {one.get_name() for table in _tables(top) for one in table.get_symbols() if _global_use(one, table is top)}
    early = _too_early(code) & bound
    return Names(frozenset(bound), frozenset((used - bound | early) - BUILT_IN))


def _too_early(code: str) -> set[str]:
    """Names that a plain statement of the top level uses before any has bound them: `x` of `x = x.t()`."""
    tree = parsed(code)
    known: set[str] = set()
    early: set[str] = set()
    for statement in tree.body[:STATEMENTS] if tree else ():
        uses, binds = _uses_and_binds(statement)
        if isinstance(statement, ast.Assign | ast.Expr | ast.AugAssign | ast.AnnAssign):
            own = set() if isinstance(statement, ast.Expr) else _targets(statement)
            early |= uses - known - (binds - own)
        known |= binds
    return early


def _targets(statement: ast.Assign | ast.AugAssign | ast.AnnAssign) -> set[str]:
    """The names that an assignment binds itself."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return {node.id for one in targets for node in ast.walk(one) if isinstance(node, ast.Name)}


def _uses_and_binds(statement: ast.stmt) -> tuple[set[str], set[str]]:
    """Names that a statement reads, those within a function apart, and all that it may bind."""
    uses: set[str] = set()
    binds: set[str] = set()
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            stored = isinstance(node.ctx, ast.Store)
            (binds if stored else uses).add(node.id)
            continue
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            uses.add(node.target.id)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            binds.add(node.name)
        elif isinstance(node, ast.alias):
            binds.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            binds.add(node.name)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return uses, binds


def _tables(top: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """All scopes; without recursion, so that no text is too deep for it."""
    waiting = [top]
    while waiting:
        table = waiting.pop()
        yield table
        waiting += table.get_children()


def _global_use(symbol: symtable.Symbol, at_top: bool) -> bool:
    return symbol.is_referenced() and (at_top or symbol.is_global())


def _inner_globals(top: symtable.SymbolTable) -> Iterator[symtable.Symbol]:
    """Names that a function declares global and binds."""
    for table in _tables(top):
        if table is not top:
            yield from (one for one in table.get_symbols() if one.is_declared_global() and one.is_assigned())


def levels(tree: ast.AST) -> Iterator[list[ast.AST]]:
    """The nodes of each level of a tree, from the root; without recursion, so that no text is too deep for it."""
    here = [tree]
    while here:
        yield here
        here = [child for node in here for child in children(node)]


def is_deeper(tree: ast.AST, most: int) -> bool:
    """Has a tree more levels than these?"""
    return next(islice(levels(tree), most, None), None) is not None


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


def dotted(node: ast.AST) -> str | None:
    """`torch.nn.functional.pad` of a chain of attributes on a name; None of anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join((node.id, *reversed(parts))) if isinstance(node, ast.Name) else None


def last_name(node: ast.AST) -> str:
    """The last name of what is called or named: `skipIf` of `unittest.skipIf(...)`; empty where it has none."""
    named = node.func if isinstance(node, ast.Call) else node
    return str(getattr(named, "attr", getattr(named, "id", "")))


@lru_cache(maxsize=8)
def comments(code: str) -> tuple[tuple[int, str], ...]:
    """The comments of a module that parses, each with its line, from 1, and its `#`."""
    found: list[tuple[int, str]] = []
    with contextlib.suppress(tokenize.TokenError, SyntaxError, ValueError):
        tokens = tokenize.generate_tokens(io.StringIO(code.removeprefix(BOM)).readline)
        found.extend((token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT)
    return tuple(found)


def uncommented(code: str) -> str:
    """The code with its comments cut off, line for line."""
    lines = code.removeprefix(BOM).splitlines()
    for line, comment in comments(code):
        if line <= len(lines) and lines[line - 1].endswith(comment.rstrip()):
            lines[line - 1] = lines[line - 1].removesuffix(comment.rstrip())
    return "\n".join(lines)
