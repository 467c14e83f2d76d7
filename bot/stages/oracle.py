"""oracle: who says that a script's result is wrong: its own check, the thread, its timer, or a crash."""

import ast
from collections.abc import Iterator, Sequence
from itertools import islice

from bot.model import Oracle, OracleKind
from bot.stages.context import Context
from bot.stages.marks import (
    ASSERTS,
    BOUND,
    COMPARES,
    CRASH,
    MADE_FOR_IT,
    MAGIC_TIMERS,
    MEASURES,
    NARROW,
    ON_CPU,
    SETTING,
    TIMERS,
)
from bot.stages.pairs import both_printed
from bot.stages.said import said
from bot.stages.stated import Stated
from bot.stages.wording import NUMBER
from bot.syntax import last_name, walked

MOST = 200
"""Nodes of an expression that are looked at, and comparisons of a statement: no text is too deep or too wide."""


def oracle(code: str, tree: ast.Module, context: Context) -> Oracle:
    """The surest answer: an assertion, a value said to be right, a comparison, a timer, a crash, a value seen."""
    lines = code.split("\n")
    check = next(_checks(tree, lines), None)
    if check:
        return Oracle(kind=OracleKind.ASSERTION, source=check)
    told = said(code, tree, context)
    timed = _timed(code, context)
    compared = next(_compared(tree, lines), None)
    doubtful = timed or (compared and BOUND.fullmatch(told.expected or ""))
    if told.expected and not (doubtful and NUMBER.fullmatch(told.expected)):
        return Oracle(kind=OracleKind.STATED, **told._asdict())
    prints = [line.strip() for line in lines if line.lstrip().startswith("print(")]
    compared = compared or next(iter(both_printed(prints)), None)
    if compared:
        return Oracle(kind=OracleKind.DIVERGENCE, observed=told.observed, source=compared)
    return timed or _crashed(context) or _seen(told)


def _timed(code: str, context: Context) -> Oracle | None:
    """It measures: by one thing that is made for it, or by the clock before and after."""
    timers = list(TIMERS.finditer(code))
    if len(timers) > 1 or any(MADE_FOR_IT.search(one[0]) for one in timers):
        return Oracle(kind=OracleKind.PERFORMANCE, source=_line(code, timers[0].start()))
    return Oracle(kind=OracleKind.PERFORMANCE) if MAGIC_TIMERS.search(context.block) else None


def _crashed(context: Context) -> Oracle | None:
    found = next(
        (
            hit
            for text in (*context.outputs, context.after, context.before, *context.logs, context.title)
            if (hit := CRASH.search(text))
        ),
        None,
    )
    line = _line(found.string, found.start()) if found else None
    return Oracle(kind=OracleKind.CRASH, observed=line, source=line) if line else None


def _seen(told: Stated) -> Oracle:
    kind = OracleKind.STATED if told.observed else OracleKind.NONE
    return Oracle(kind=kind, observed=told.observed, source=told.source if told.observed else None)


def _checks(tree: ast.Module, lines: Sequence[str]) -> Iterator[str]:
    """First lines of assertions about a result, in their order; and of an `if` that raises or exits."""
    found: list[int] = []
    for node in walked(tree):
        if isinstance(node, ast.If):
            if COMPARES.search(lines[node.lineno - 1]) and _ends(node.body):
                found.append(node.lineno)
        elif isinstance(node, ast.Assert) or (isinstance(node, ast.Call) and ASSERTS.search(last_name(node))):
            whole = " ".join(lines[node.lineno - 1 : node.end_lineno])
            found += [] if SETTING.search(whole) else [node.lineno]
    yield from (lines[line - 1].strip() for line in sorted(found) if not SETTING.search(lines[line - 1]))


def _ends(body: Sequence[ast.stmt]) -> bool:
    """Does it raise, or leave with a code?"""
    calls = (one.value for one in body if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call))
    return any(isinstance(one, ast.Raise) for one in body) or any(
        last_name(call) in ("exit", "_exit") for call in calls
    )


def _compared(tree: ast.Module, lines: Sequence[str]) -> Iterator[str]:
    """Lines that print how a result compares with a reference which the script computes itself."""
    if not any(ON_CPU.search(line) or NARROW.search(line) for line in lines):
        return
    sides = _comparisons(tree)
    hits = []
    for node in walked(tree):
        if isinstance(node, ast.If):
            hit = _subtracts(node.test)
        elif not isinstance(node, ast.Call):
            continue
        elif last_name(node) == "print":
            hit = _subtracts(node) or not sides.isdisjoint(_names(node)) or _beside(node)
        else:
            hit = last_name(node) in ("allclose", "equal", "array_equal", "isclose") and bool(node.args)
        hits += [node.lineno] if hit else []
    yield from (lines[line - 1].strip() for line in sorted(hits))


def _beside(call: ast.Call) -> bool:
    """Does it print something beside what it computes of tensors on the CPU?"""
    computed = [one for one in call.args if isinstance(one, ast.Call | ast.Name | ast.Attribute | ast.Subscript)]
    on_cpu = [one for one in computed if any(map(_of_cpu, islice(ast.walk(one), MOST)))]
    return 0 < len(on_cpu) < len(computed)


def _of_cpu(node: ast.AST) -> bool:
    given = node.args if isinstance(node, ast.Call) else ()
    return any(isinstance(one, ast.Call) and last_name(one) == "cpu" for one in given)


def _comparisons(tree: ast.Module) -> set[str]:
    """Names that hold a difference or a comparison of two results."""
    return {
        target.id
        for node in walked(tree)
        if isinstance(node, ast.Assign)
        and _subtracts(node.value)
        and (ON_CPU.search(words := " ".join(_names(node.value)) + _strings(node.value)) or NARROW.search(words))
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _subtracts(tree: ast.AST) -> bool:
    """Is there a difference or a comparison of two computed things, one of them a reference?"""
    nodes = list(ast.walk(tree))
    pairs = [(node.left, node.right) for node in nodes if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)]
    pairs += [(node.left, node.comparators[0]) for node in nodes if isinstance(node, ast.Compare)]
    pairs = [pair for pair in pairs[:MOST] if not isinstance(pair[1], ast.Constant | ast.UnaryOp)]
    measured = any(isinstance(node, ast.Call) and last_name(node) in MEASURES for node in nodes)
    sides = ((_strings(one), _strings(other)) for one, other in pairs)
    return any(
        measured or ON_CPU.search(one) or ON_CPU.search(other) or bool(NARROW.search(one)) != bool(NARROW.search(other))
        for one, other in sides
    )


def _names(tree: ast.AST) -> list[str]:
    return [node.id for node in islice(ast.walk(tree), MOST) if isinstance(node, ast.Name)]


def _strings(tree: ast.AST) -> str:
    """The names, attributes and strings of an expression, with a blank between."""
    words = []
    for node in islice(ast.walk(tree), MOST):
        if isinstance(node, ast.Name):
            words.append(node.id)
        elif isinstance(node, ast.Attribute):
            words.append(f".{node.attr}()")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words.append(f'"{node.value[:40]}"')
    return " ".join(words)


def _line(text: str, position: int) -> str:
    start = text.rfind("\n", 0, position) + 1
    return text[start:].split("\n", 1)[0].strip()
