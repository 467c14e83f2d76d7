"""said: the values that comments, strings, a session's answers, prose, tables and blocks of output say to be right."""

import ast
import re
from collections.abc import Mapping, Sequence

from bot.stages.context import Context
from bot.stages.marks import PRINTS, TIMERS
from bot.stages.pairs import by_device
from bot.stages.stated import Stated, headed, stated
from bot.stages.tables import tabled
from bot.stages.value import value_at
from bot.syntax import comments, walked


def said(code: str, tree: ast.Module, context: Context) -> Stated:
    """Values that comments, strings, the session's answers, the prose around the code, and blocks of output state."""
    lines = code.split("\n")
    notes = [(lines[line - 1].strip(), text.lstrip("# ")) for line, text in comments(code) if line <= len(lines)]
    texts = [*(note for _, note in notes), *_literals(tree)]
    own = stated(texts, texts)
    whole = {note: line for line, note in notes}
    if own.source:
        shown = next((line for line in lines if own.source in line), whole.get(own.source, own.source))
        own = own._replace(source=shown.strip())
    answers = by_device(context.answers) if context.answers else by_device(_shown(code))
    named = _assigned(tree, lines)
    output = stated(context.outputs)
    around = stated((context.after, context.before), context.prose)
    tables = tabled(f"{context.after}\n\n{context.before}") if not TIMERS.search(code) else Stated()
    title = stated((context.title,), (context.title,))
    blocks = [headed(prose, content) for prose, content in context.blocks]
    told = (own, named, answers, output, around, tables, *blocks, title)
    sure = next((one for one in told if one.expected), Stated())
    seen = next((one for one in (sure, *told) if one.observed and one.observed != sure.expected), Stated())
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
    calls = (node for node in walked(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print")
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
