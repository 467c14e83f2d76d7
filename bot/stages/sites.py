"""sites: every place of a script where a port rule may have something to say, with the bytes that it covers."""

import ast
from collections.abc import Callable, Mapping
from itertools import chain, islice
from typing import Any

from bot.model import Target
from bot.stages import arm_sites, call_sites, name_sites, text_sites
from bot.stages.facts import Facts
from bot.stages.names import Names
from bot.stages.python_text import PythonText, TextError
from bot.stages.walk import Below, Place, Walk
from bot.syntax import BOM, levels, parsed

LONGEST = 100_000
"""Characters of a script: half as much again as GitHub takes for one text."""
DEEPEST = 300
"""Levels of nesting that are read."""

__all__ = ["Place", "PortError", "places"]


class PortError(Exception):
    """The text is not a Python module; the message says where."""


def places(code: str, target: Target, sources: tuple[str, ...]) -> list[Place]:
    """All sites, those inside another one before it, else in the order of the text. Raises PortError."""
    if len(code) > LONGEST:
        raise PortError(f"it is too long: {len(code):,} characters, at most {LONGEST:,} are read")
    tree = parsed(code)
    if tree is None:
        raise PortError("Python does not accept it")
    nodes = [*islice(levels(tree), DEEPEST + 1)]
    if len(nodes) > DEEPEST:
        raise PortError("it is nested too deeply")
    flat = [*chain.from_iterable(nodes)]
    names = Names(flat, target.suite_names)
    if names.without_torch:
        return []
    content = code.encode()
    skipped = len(BOM.encode()) if code.startswith(BOM) else 0
    whole = PythonText(content)
    text = PythonText(content[skipped:], whole, skipped) if skipped else whole
    walk = Walk(names, Facts(flat), whole, target, sources, VISITS)
    try:
        walk.visit(tree, text)
    except TextError as error:
        raise PortError("its places can't be told: the parser's positions don't agree with the text") from error
    return sorted(walk.found, key=lambda place: (place.end, -place.start))


VISITS: Mapping[type[ast.AST], Callable[[Walk, Any, PythonText], Below]] = {
    ast.AnnAssign: name_sites.annotated,
    ast.Assign: name_sites.assign,
    ast.AsyncFunctionDef: name_sites.definition,
    ast.Attribute: name_sites.attribute,
    ast.BinOp: text_sites.join,
    ast.Call: call_sites.call,
    ast.ClassDef: name_sites.definition,
    ast.Compare: call_sites.compare,
    ast.Constant: text_sites.constant,
    ast.Delete: call_sites.delete,
    ast.Dict: call_sites.entries,
    ast.Expr: call_sites.statement,
    ast.FunctionDef: name_sites.definition,
    ast.Import: name_sites.imported,
    ast.ImportFrom: name_sites.imported,
    ast.If: arm_sites.questions,
    ast.IfExp: arm_sites.questions,
    ast.JoinedStr: text_sites.form,
    ast.List: arm_sites.display,
    ast.Match: arm_sites.cases,
    ast.Name: name_sites.name,
    ast.Set: arm_sites.display,
    ast.Tuple: arm_sites.display,
    ast.arg: name_sites.annotated,
}
