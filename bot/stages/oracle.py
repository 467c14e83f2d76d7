"""oracle: who says that a script's result is wrong: its own check, the thread, its timer, or a crash."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from bot.model import Oracle, OracleKind
from bot.stages.context import Context
from bot.stages.marks import (
    ASSERTS,
    COMPARES,
    CRASH,
    MADE_FOR_IT,
    MAGIC_TIMERS,
    MEASURES,
    ON_CPU,
    PRINTS,
    SETTING,
    TIMERS,
)
from bot.stages.pairs import both_printed, by_device
from bot.stages.stated import Stated, headed, stated
from bot.stages.value import value_at
from bot.syntax import comments, walked

MOST = 200
"""Nodes of an expression that are looked at, and comparisons of a statement: no text is too deep or too wide."""


def oracle(code: str, tree: ast.Module, context: Context) -> Oracle:
    """The surest answer: an assertion, a value said to be right, a comparison, a timer, a crash, a value seen."""
    lines = code.split("\n")
    check = next(_checks(tree, lines), None)
    if check:
        return Oracle(kind=OracleKind.ASSERTION, source=check)
    said = _said(code, tree, context)
    if said.expected:
        return Oracle(kind=OracleKind.STATED, **said._asdict())
    prints = [line.strip() for line in lines if line.lstrip().startswith("print(")]
    compared = next(_compared(tree, lines), None) or next(iter(both_printed(prints)), None)
    if compared:
        return Oracle(kind=OracleKind.DIVERGENCE, observed=said.observed, source=compared)
    return _timed(code, context) or _crashed(context) or _seen(said)


def _timed(code: str, context: Context) -> Oracle | None:
    """It measures: by one thing that is made for it, or by the clock before and after."""
    timers = list(TIMERS.finditer(code))
    if len(timers) > 1 or any(MADE_FOR_IT.search(one[0]) for one in timers):
        return Oracle(kind=OracleKind.PERFORMANCE, source=_line(code, timers[0].start()))
    return Oracle(kind=OracleKind.PERFORMANCE) if MAGIC_TIMERS.search(context.block) else None


def _crashed(context: Context) -> Oracle | None:
    found = next((hit for text in (*context.outputs, context.after) if (hit := CRASH.search(text))), None)
    line = _line(found.string, found.start()) if found else None
    return Oracle(kind=OracleKind.CRASH, observed=line, source=line) if line else None


def _seen(said: Stated) -> Oracle:
    kind = OracleKind.STATED if said.observed else OracleKind.NONE
    return Oracle(kind=kind, observed=said.observed, source=said.source if said.observed else None)


def _checks(tree: ast.Module, lines: Sequence[str]) -> Iterator[str]:
    """First lines of assertions about a result, in their order; and of an `if` that raises or exits."""
    found: list[int] = []
    for node in walked(tree):
        if isinstance(node, ast.If):
            if COMPARES.search(lines[node.lineno - 1]) and _ends(node.body):
                found.append(node.lineno)
        elif isinstance(node, ast.Assert) or (isinstance(node, ast.Call) and ASSERTS.search(_called(node))):
            whole = " ".join(lines[node.lineno - 1 : node.end_lineno])
            found += [] if SETTING.search(whole) else [node.lineno]
    yield from (lines[line - 1].strip() for line in sorted(found) if not SETTING.search(lines[line - 1]))


def _ends(body: Sequence[ast.stmt]) -> bool:
    """Does it raise, or leave with a code?"""
    calls = (one.value for one in body if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call))
    return any(isinstance(one, ast.Raise) for one in body) or any(_called(call) in ("exit", "_exit") for call in calls)


def _compared(tree: ast.Module, lines: Sequence[str]) -> Iterator[str]:
    """Lines that print how a result compares with a reference which the script computes itself."""
    if not any(ON_CPU.search(line) for line in lines):
        return
    sides = _comparisons(tree)
    hits = []
    for node in walked(tree):
        if isinstance(node, ast.If):
            hit = _subtracts(node.test)
        elif not isinstance(node, ast.Call):
            continue
        elif _called(node) == "print":
            hit = _subtracts(node) or not sides.isdisjoint(_names(node))
        else:
            hit = _called(node) in ("allclose", "equal", "array_equal", "isclose") and bool(node.args)
        hits += [node.lineno] if hit else []
    yield from (lines[line - 1].strip() for line in sorted(hits))


def _comparisons(tree: ast.Module) -> set[str]:
    """Names that hold a difference or a comparison of two results."""
    return {
        target.id
        for node in walked(tree)
        if isinstance(node, ast.Assign)
        and _subtracts(node.value)
        and ON_CPU.search(" ".join(_names(node.value)) + _strings(node.value))
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _subtracts(tree: ast.AST) -> bool:
    """Is there a difference or a comparison of two computed things, one of them a reference?"""
    nodes = list(ast.walk(tree))
    pairs = [(node.left, node.right) for node in nodes if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)]
    pairs += [(node.left, node.comparators[0]) for node in nodes if isinstance(node, ast.Compare)]
    pairs = [pair for pair in pairs[:MOST] if not isinstance(pair[1], ast.Constant | ast.UnaryOp)]
    measured = any(isinstance(node, ast.Call) and _called(node) in MEASURES for node in nodes)
    return any(measured or ON_CPU.search(_strings(one)) or ON_CPU.search(_strings(other)) for one, other in pairs)


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


def _called(call: ast.Call) -> str:
    """The last name of what is called."""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def _said(code: str, tree: ast.Module, context: Context) -> Stated:
    """Values that comments, strings, the session's answers, the prose around the code, and blocks of output state."""
    lines = code.split("\n")
    notes = [(lines[line - 1].strip(), text.lstrip("# ")) for line, text in comments(code) if line <= len(lines)]
    own = stated([note for _, note in notes] + _literals(tree))
    whole = {note: line for line, note in notes}
    if own.source:
        shown = next((line for line in lines if own.source in line), whole.get(own.source, own.source))
        own = own._replace(source=shown.strip())
    answers = by_device(context.answers) if context.answers else by_device(_shown(code))
    named = _assigned(tree, lines)
    output = stated(context.outputs)
    around = stated((context.after, context.before))
    blocks = [headed(prose, content) for prose, content in context.blocks]
    told = (own, named, answers, output, around, *blocks)
    sure = next((one for one in told if one.expected), Stated())
    seen = next((one for one in told if one.observed and one.observed != sure.expected), Stated())
    shown = "\n".join(text.strip() for text in context.outputs)[:2000]
    observed = seen.observed or (shown if shown and shown != sure.expected and not TIMERS.search(code) else None)
    source = sure.source or seen.source or (observed.split("\n")[0].strip() if observed else None)
    return Stated(sure.expected, observed, source)


def _shown(code: str) -> list[tuple[str, str]]:
    """Statements with a comment behind or below them that is nothing but a value: what they print."""
    found: list[tuple[str, str]] = []
    lines = code.split("\n")
    noted = dict(comments(code))
    for number, note in noted.items():
        line = lines[number - 1].strip() if number <= len(lines) else "#"
        if line.startswith("#"):
            above = number - 1
            if above in noted or not above or lines[above - 1].lstrip().startswith("#"):
                continue
            text = "\n".join(one.lstrip()[1:].removeprefix(" ") for one in _below(lines, number, noted))
            line = lines[above - 1].strip()
        else:
            text = note.lstrip("# ")
        text = PRINTS.sub("", text)
        value = value_at(text, 0)
        if value and line and len(text) - len(value) < 12:
            found.append((line.partition("#")[0].strip(), value))
    return found


def _below(lines: Sequence[str], number: int, noted: Mapping[int, str]) -> list[str]:
    """The lines from `number` on that are comments and nothing else."""
    end = number
    while end in noted and end <= len(lines) and lines[end - 1].lstrip().startswith("#"):
        end += 1
    return list(lines[number - 1 : end - 1])


def _literals(tree: ast.Module) -> list[str]:
    """Strings that are printed, where they state something."""
    calls = (node for node in walked(tree) if isinstance(node, ast.Call) and _called(node) == "print")
    strings = (node for call in calls for node in ast.walk(call) if isinstance(node, ast.Constant))
    return [
        one.value
        for one in strings
        if isinstance(one.value, str) and re.search(r"expect|should|correct", one.value, re.I)
    ]


def _assigned(tree: ast.Module, lines: Sequence[str]) -> Stated:
    """`expected = torch.tensor([1., 2.])`: a right value that is written out."""
    for node in walked(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            line = lines[node.lineno - 1].strip()
            named = re.match(r"(?:expected|correct|desired|golden|truth)\w*\s*=\s*", line)
            value = value_at(line.replace("torch.tensor(", "tensor("), named.end()) if named else None
            if value and not re.search(
                r"[A-Za-z_]{2,}", re.sub(r"tensor\(|dtype=[\w.]+|device=\S+|nan|inf|True|False", "", value)
            ):
                return Stated(expected=value, source=line)
    return Stated()


def _line(text: str, position: int) -> str:
    start = text.rfind("\n", 0, position) + 1
    return text[start:].split("\n", 1)[0].strip()
