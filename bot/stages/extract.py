"""extract: from a thread's text to the code that shows the fault, best first."""

import ast
import re
import sys
from collections.abc import Iterable, Sequence

from bot.model import Block, Found, Item, Oracle, OracleKind, Origin, Passed, Reproducer
from bot.registry import Rule
from bot.stages.markdown import blocks
from bot.stages.testcase import from_tests
from bot.syntax import parsed

AT_HAND = frozenset({"torch", "numpy", *sys.stdlib_module_names})
"""Top-level packages that the sandbox has."""
NEEDS = (
    ("several devices", re.compile(r"\btorch\.distributed\b|\bcuda:[1-9]|\.cuda\([1-9]|DataParallel\b")),
    ("a C++ or CUDA compiler", re.compile(r"cpp_extension|load_inline|CUDAExtension")),
    ("a compiled graph", re.compile(r"\btorch\.compile\(|torch\._inductor|torch\.jit\.")),
    ("the network", re.compile(r"\btorch\.hub\b|from_pretrained|urlopen|requests\.get|download=True")),
    ("a file that is not in the thread", re.compile(r"\btorch\.load\(|np\.load\(|\bopen\(")),
)  # fmt: skip
EXPECTED = re.compile(
    r"expect(?:ed|s)?\b(?:[^\n\[(\d-]{0,40}(?P<list>[\[(]{1,8} ?-?\d[^\n]{0,500})|[^\n\[(\d.,;-]{0,40}"
    r"(?P<number>-?\d[\d.eE+-]*)(?=[ \t]{0,4}(?:$|[,;)`\"'*]|(?:and|at|but|for|got|in|instead|not|rather)\b)))",
    re.IGNORECASE | re.MULTILINE,
)
"""A list, or a number that ends its clause: `expected 2 machines` states no value."""


def extract_text(
    text: str, rules: Sequence[Rule], where: str = "body", item: str | None = None
) -> tuple[list[Reproducer], list[str]]:
    """Reproducers of one Markdown text, best first, and a line for each block that was passed over."""
    found: list[Reproducer] = []
    passed: list[str] = []
    for block in blocks(text, where, item=item):
        answer = _ask(block, rules)
        if isinstance(answer, Passed):
            passed.append(f"{where}, line {block.line}: {answer.why}")
        else:
            found.append(_reproducer(block, answer))
    return _ranked(found), passed


def extract_item(item: Item, rules: Sequence[Rule]) -> tuple[list[Reproducer], list[str]]:
    """Reproducers of an item's body and comments, best first, and what was passed over."""
    found, passed = extract_text(item.body, rules, item=item.key)
    for number, comment in enumerate(item.comments):
        more, over = extract_text(comment.body, rules, where=f"comment {number}", item=item.key)
        found += more
        passed += over
    tests, over = from_tests(item)
    found += [one.model_copy(update={"needs": _needs(one.code, ast.parse(one.code))}) for one in tests]
    return _ranked(found), passed + over


def runnable(found: Iterable[Reproducer]) -> Reproducer | None:
    """The best Python that works with torch and needs nothing that the sandbox lacks."""
    return next((one for one in found if one.language == "python" and not one.needs and "torch" in one.code), None)


def _ask(block: Block, rules: Sequence[Rule]) -> Found | Passed:
    """The best answer of all rules; code outweighs a dump only where its score says that it works with torch."""
    answers = [answer for rule in rules if (answer := rule.apply(block)) is not None]
    found = max((one for one in answers if isinstance(one, Found)), key=lambda one: one.score, default=None)
    over = min((one for one in answers if isinstance(one, Passed)), key=lambda one: one.why, default=None)
    if found is not None and (over is None or found.score >= 0.5):
        return found
    return over or Passed(why="no rule takes it for code" + (f" (tagged {block.tag})" if block.tag else ""))


def _reproducer(block: Block, found: Found) -> Reproducer:
    tree = parsed(found.code) if found.language == "python" else None
    return Reproducer(
        code=found.code,
        origin=block.origin,
        language=found.language,
        score=found.score,
        needs=_needs(found.code, tree) if tree else (),
        oracle=_oracle(found, block, tree) if tree else Oracle(kind=OracleKind.NONE),
        changes=found.changes,
    )


def _needs(code: str, tree: ast.Module) -> tuple[str, ...]:
    """What the code needs beyond a Python with torch and numpy on one device."""
    needs = [need for need, pattern in NEEDS if pattern.search(code)]
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    needs += [f"the package {name}" for name in sorted(imported - AT_HAND - {""})]
    return tuple(needs)


def _oracle(found: Found, block: Block, tree: ast.Module) -> Oracle:
    """An assertion in the code, else a value that the code or the text after it states, else none."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) or (isinstance(node, ast.Call) and _called(node) == "assert_close"):
            return Oracle(kind=OracleKind.ASSERTION, source=found.code.split("\n")[node.lineno - 1].strip())
    for text in (found.code, block.after):
        match = EXPECTED.search(text)
        if match:
            line = text[text.rfind("\n", 0, match.start()) + 1 :].splitlines()[0].strip()
            value = (match["list"] or match["number"]).rstrip("\"'`)., ")
            return Oracle(kind=OracleKind.STATED, expected=_balanced(value), source=line)
    return Oracle(kind=OracleKind.NONE)


def _called(call: ast.Call) -> str:
    """The last name of what is called."""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def _balanced(value: str) -> str:
    """The value up to its closing bracket, where it opens with one."""
    level = 0
    for position, character in enumerate(value):
        level += (character in "[(") - (character in "])")
        if level == 0:
            return value[: position + 1] if position else value
    return value


def _ranked(found: Iterable[Reproducer]) -> list[Reproducer]:
    """Best first; of equal ones the earlier (bodies before comments)."""
    return sorted(found, key=lambda one: (-one.score, _place(one.origin)))


def _place(origin: Origin) -> tuple[int, int, str, int]:
    """The body first, then comments by number, then files by name."""
    kind, _, rest = origin.where.partition(" ")
    number = int(rest) if kind == "comment" else 0
    return (("body", "comment", "file").index(kind), number, rest, origin.index)
