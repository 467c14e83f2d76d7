"""name_sites: the places of names: of torch and of its parts, imports, switches that are set, annotations."""

import ast
from typing import Any

from bot.model import Around, SiteKind
from bot.stages.python_text import PythonText
from bot.stages.walk import Below, Walk
from bot.syntax import children

PLAIN = frozenset({"str", "int", "bool"})
"""Calls that do nothing but make a value."""


def definition(walk: Walk, node: Any, text: PythonText) -> Below:
    """A function or a class. What is dead is the body of a function; a class's own, defaults and decorators run."""
    dead, idle = walk.dead, walk.idle_class
    of_class = isinstance(node, ast.ClassDef)
    unused = walk.facts.unused(node) if of_class or idle is None else idle and not node.decorator_list
    for child in children(node):
        body = isinstance(child, ast.stmt)
        walk.dead = dead or (unused and body and not of_class)
        walk.idle_class = unused if of_class and body else None if body else idle
        walk.visit(child, text)
    walk.dead, walk.idle_class = dead, idle
    _annotation(walk, getattr(node, "returns", None), text)
    return ()


def annotated(walk: Walk, node: ast.AnnAssign | ast.arg, text: PythonText) -> Below:
    """`x: torch.cuda.FloatTensor`"""
    for child in children(node):
        walk.visit(child, text)
    _annotation(walk, node.annotation, text)
    return ()


def _annotation(walk: Walk, annotation: ast.expr | None, text: PythonText) -> None:
    """The names of torch in an annotation, once more as what they are there."""
    for node in ast.walk(annotation) if annotation else ():
        known = walk.of_torch(node) if isinstance(node, ast.Attribute | ast.Name) else None
        if known:
            walk.add(SiteKind.ANNOTATION, text.span(node), known[0], root=known[1])  # type: ignore[arg-type]


def attribute(walk: Walk, node: ast.Attribute, text: PythonText) -> Below:
    """The longest dotted name that starts at torch; else the last name as a member of some value."""
    known = walk.of_torch(node)
    if known:
        walk.add(SiteKind.ATTRIBUTE, text.span(node), known[0], root=known[1])
        return ()
    if walk.speaks(node.attr) and id(node) not in walk.arms:
        walk.add(SiteKind.MEMBER, text.member(node), node.attr, around=owned(walk, node.attr))
    return (node.value,)


def owned(walk: Walk, attribute: str) -> tuple[Around, ...]:
    """Whether an attribute is the script's own."""
    return (Around.OWN,) if walk.facts.owns(attribute) else ()


def name(walk: Walk, node: ast.Name, text: PythonText) -> Below:
    """A name that was imported from torch."""
    known = walk.of_torch(node)
    if known and known[0] != "torch" and not isinstance(node.ctx, ast.Store):
        walk.add(SiteKind.NAME, text.span(node), known[0], root=known[1])
    return ()


def imported(walk: Walk, node: ast.Import | ast.ImportFrom, text: PythonText) -> Below:
    """An import, unless it is from the script's own package."""
    if not getattr(node, "level", 0):
        spans = tuple(map(text.span, node.names))
        walk.add(SiteKind.IMPORT, text.span(node), getattr(node, "module", "") or "", arguments=spans)
    return ()


def assign(walk: Walk, node: ast.Assign, text: PythonText) -> Below:
    """A switch that is set, with nothing else done on the way; a part of torch that gets another name."""
    targets = [one for target in node.targets for one in getattr(target, "elts", [target])]
    switches = [_switch(walk, one) for one in targets]
    if all(switches) and not any(map(_acts, ast.walk(node.value))):
        arguments = (text.span(node.value),)
        first = min(switches, key=lambda one: (not one.endswith(".enabled"), one))
        walk.add(SiteKind.STATEMENT, text.span(node), first, arguments=arguments)
    known = walk.of_torch(node.value) if walk.names.renames(node) else None
    if known is None:
        return *node.targets, node.value
    walk.add(SiteKind.MODULE, text.span(node.value), known[0], root=known[1])
    return node.targets


def _switch(walk: Walk, target: ast.expr) -> str:
    """`torch.backends.cudnn.enabled`, `os.environ[NAME]`; empty for what is none."""
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        known = walk.names.qualified(target.value)
        return f"{known[0]}[{target.slice.value!s}]" if known else ""
    known = walk.of_torch(target) if isinstance(target, ast.Attribute) else None
    return known[0] if known else ""


def _acts(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in PLAIN)
