"""arm_sites: tables and chains of questions that name both devices: what they say of the source stays the source's."""

import ast
import re
from collections.abc import Iterable, Sequence

from bot.stages.python_text import PythonText
from bot.stages.walk import Below, Walk
from bot.syntax import children

DEVICE = re.compile(r"(?P<type>[a-z]+)(?::\d+)?\Z")


def display(walk: Walk, node: ast.List | ast.Set | ast.Tuple, _: PythonText) -> Below:
    """`("cuda", "xpu", "cpu")`, `[("cuda", 1e-3), ("xpu", 1e-2)]`"""
    rows(walk, node.elts)
    return node.elts


def rows(walk: Walk, listed: Sequence[ast.expr]) -> None:
    """The entries of a table, and its columns where they are rows of their own."""
    _mark(walk, listed)
    columns: list[list[ast.expr]] = []
    for row in listed:
        for place, one in enumerate(row.elts if isinstance(row, ast.List | ast.Tuple) else ()):
            if place == len(columns):
                columns.append([])
            columns[place].append(one)
    for column in columns:
        _mark(walk, column)


def questions(walk: Walk, node: ast.If | ast.IfExp, _: PythonText) -> Below:
    """`if device == "cuda": ... elif device == "xpu": ...`"""
    one: ast.AST | None = node
    asked: list[tuple[ast.expr, ast.expr]] = []
    while isinstance(one, ast.If | ast.IfExp) and id(one) not in walk.chained:
        walk.chained[id(one)] = one
        asked += _asked(one.test)
        further = one.orelse
        one = further if isinstance(further, ast.expr) else further[0] if len(further) == 1 else None
    if walk.target.name in [_type(answer) for _, answer in asked]:
        by_subject: dict[str, list[ast.expr]] = {}
        for subject, answer in asked:
            by_subject.setdefault(ast.dump(subject), []).append(answer)
        for answers in by_subject.values():
            _mark(walk, answers)
    return children(node)


def cases(walk: Walk, node: ast.Match, _: PythonText) -> Below:
    """`case "cuda": ... case "xpu": ...`"""
    patterns = (below for one in node.cases for below in ast.walk(one.pattern))
    _mark(walk, [one.value for one in patterns if isinstance(one, ast.MatchValue)])
    return children(node)


def _mark(walk: Walk, listed: Iterable[ast.expr]) -> None:
    """Beside the target's own name, those of the sources are arms; a stand-in's name is the host's as well."""
    if walk.target.stands_in_for:
        return
    named = [(_name_of(one), _type(one)) for one in listed]
    if walk.target.name in [kind for _, kind in named]:
        walk.arms.update({id(one): one for one, kind in named if kind in walk.sources})


def _name_of(node: ast.expr) -> ast.expr:
    """The string of `torch.device("cuda")`; else the expression itself."""
    made = isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "device" and len(node.args) == 1
    return node.args[0] if isinstance(node, ast.Call) and made else node


def _type(node: ast.expr) -> str:
    """The device that an expression names, `cuda` of `"cuda:0"` and of `x.is_cuda`; empty where it is none."""
    node = _name_of(node)
    if isinstance(node, ast.Attribute) and node.attr.startswith("is_"):
        return node.attr.removeprefix("is_")
    match = DEVICE.match(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
    return match["type"] if match else ""


def _asked(test: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """What a question is about, and each device that it asks for."""
    if isinstance(test, ast.BoolOp):
        return [pair for one in test.values for pair in _asked(one)]
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq | ast.Is):
        return [(test.left, test.comparators[0])]
    if isinstance(test, ast.Attribute):
        return [(test.value, test)]
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and test.func.attr == "startswith":
        return [(test.func.value, one) for one in test.args[:1]]
    return []
