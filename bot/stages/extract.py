"""extract: from a thread's text to the code that shows the fault, best first."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bot.model import Block, Found, Item, Oracle, OracleKind, Passed, Reproducer
from bot.registry import Rule
from bot.stages.context import around
from bot.stages.imports import with_imports
from bot.stages.join import Part, Script, joined, part_of
from bot.stages.markdown import Prose, pieces
from bot.stages.marks import ELSEWHERE
from bot.stages.needs import barring, needs
from bot.stages.oracle import oracle
from bot.stages.pairs import beside_the_cpu
from bot.stages.rank import by_a_bot, preferred, ranked, scored
from bot.stages.suite import with_ending
from bot.stages.testcase import from_tests
from bot.syntax import parsed

LONGEST = 65_536
"""Characters of a block; GitHub takes no longer text."""
BUDGET = 70_000
"""Characters of blocks of one item that rules are asked about: all that GitHub takes as one text, no second's work."""
EACH = 200
"""What any block costs of that, beside its characters."""
SURE = 0.2
"""A block below this is code only where another block needs it, or it another one."""


class Text(NamedTuple):
    """A text of a thread."""

    text: str
    where: str
    item: str | None
    title: str = ""
    earlier: Sequence[Part] = ()
    """Blocks that stand before it in the thread: it may use their names."""


class Thread(NamedTuple):
    """What was read of a text, and in which places code stands."""

    read: Sequence[Block | Prose]
    code: set[int]
    title: str


def extract_text(
    text: str, rules: Sequence[Rule], where: str = "body", item: str | None = None
) -> tuple[list[Reproducer], list[str]]:
    """Reproducers of one Markdown text, best first, and a line for each block that was passed over."""
    return _extracted(Text(text, where, item), rules)[:2]


def extract_item(item: Item, rules: Sequence[Rule]) -> tuple[list[Reproducer], list[str]]:
    """Reproducers of an item's body and comments, best first, and what was passed over."""
    found, passed, parts, left = _extracted(Text(item.body, "body", item.key, item.title), rules)
    for number, comment in enumerate(item.comments):
        text = Text(comment.body, f"comment {number}", item.key, earlier=parts)
        more, over, _, left = _extracted(text, rules, left)
        if by_a_bot(comment):
            passed += [f"comment {number}, line 1: a program wrote it ({comment.author})"] if more else []
            continue
        best = next((one for one in ranked(found) if one.language == "python"), None)
        found += preferred(comment, item, more, best)
        passed += over
    tests, over = from_tests(item)
    found += [one.model_copy(update={"needs": needs(one.code, ast.parse(one.code))}) for one in tests]
    return ranked(found), passed + over


def _extracted(
    text: Text, rules: Sequence[Rule], left: int = BUDGET
) -> tuple[list[Reproducer], list[str], list[Part], int]:
    """Reproducers, what was passed over, the Python that a later text may go on with, and what is left to be read.

    `left` are the characters of blocks that rules are still asked about.
    """
    read = pieces(text.text, text.where, item=text.item)
    parts: list[Part] = []
    passed: list[tuple[int, str]] = []
    for block in (one for one in read if isinstance(one, Block)):
        left -= len(block.text) + EACH
        answer = _too_long(block) or (_ask(block, rules) if left >= 0 else _too_much())
        if isinstance(answer, Passed):
            passed += [] if block.loose else [(block.line, answer.why)]
        else:
            parts.append(part_of(block, answer))
    scripts, alone = _scripts(parts, text.earlier)
    passed += [(part.block.line, _no_rule(part.block).why) for part in alone]
    taken = {id(part.block) for script in scripts for part in script.parts}
    around = Thread(read, {number for number, one in enumerate(read) if id(one) in taken}, text.title)
    found = beside_the_cpu([one for script in scripts for one in _reproducers(script, around)])
    found += [_listed(part) for part in parts if part.found.language != "python"]
    if not any(one.language == "python" for one in found):
        passed += _elsewhere(read)
    return ranked(found), [f"{text.where}, line {line}: {why}" for line, why in sorted(passed)], parts, left


def runnable(found: Iterable[Reproducer]) -> Reproducer | None:
    """The best Python that works with torch and needs nothing that the sandbox lacks."""
    fit = (one for one in found if one.language == "python" and not barring(one.needs) and "torch" in one.code)
    return next(fit, None)


def _ask(block: Block, rules: Sequence[Rule]) -> Found | Passed:
    """The best answer of all rules; code outweighs a dump only where its score says that it works with torch."""
    answers = [answer for rule in rules if (answer := rule.apply(block)) is not None]
    found = max(
        (one for one in answers if isinstance(one, Found)),
        key=lambda one: (one.score, one.language, one.code),
        default=None,
    )
    over = min((one for one in answers if isinstance(one, Passed)), key=lambda one: one.why, default=None)
    if found is not None and (over is None or found.score >= 0.5):
        return found
    return over or _no_rule(block)


def _no_rule(block: Block) -> Passed:
    return Passed(why="no rule takes it for code" + (f" (tagged {block.tag})" if block.tag else ""))


def _too_long(block: Block) -> Passed | None:
    if len(block.text) <= LONGEST:
        return None
    return Passed(why=f"with {len(block.text):,} characters it is longer than what a thread can hold")


def _too_much() -> Passed:
    return Passed(why="so much code stands above it that no more of this item is read")


def _scripts(parts: Sequence[Part], earlier: Sequence[Part]) -> tuple[list[Script], list[Part]]:
    """Joined scripts, and the blocks that are nothing by themselves and belong to no script."""
    scripts = joined([part for part in parts if not _amends(part)], [part for part in earlier if not _amends(part)])
    kept = [one for one in scripts if one.score >= SURE and (one.chief.found.score >= SURE or len(one.parts) > 1)]
    used = {id(part) for script in kept for part in script.parts}
    return kept, [part for part in parts if part.found.language == "python" and id(part) not in used]


def _amends(part: Part) -> bool:
    """Does it only bind anew what it takes from elsewhere, `x = x.contiguous()`, and show nothing?"""
    bound, free = part.names
    return bool(bound) and bound <= free and "print(" not in part.found.code and "torch." not in part.found.code


def _reproducers(script: Script, thread: Thread) -> list[Reproducer]:
    """The script; and its blocks alone where one of them can run and the whole can't."""
    whole = _reproducer(script, thread)
    if len(script.parts) == 1 or not barring(whole.needs):
        return [whole]
    here = [part for part in script.parts if part.block.origin.where == script.chief.block.origin.where]
    alone = [_reproducer(Script((part,), part), thread) for part in here if part.found.score >= SURE]
    return [whole, *(one for one in alone if not barring(one.needs))]


def _reproducer(script: Script, thread: Thread) -> Reproducer:
    whole, added = with_imports(script.code)
    tree = parsed(whole)
    wants = needs(whole, tree) if tree else ()
    said = oracle(whole, tree, around(script, *thread)) if tree else Oracle(kind=OracleKind.NONE)
    ended, told = with_ending(whole)
    return Reproducer(
        code=ended,
        origin=script.origin,
        language="python",
        score=scored(script.score, wants),
        needs=wants,
        oracle=said,
        changes=(*script.changes, *added, *told),
    )


def _listed(part: Part) -> Reproducer:
    """Code in another language: a pointer, never run."""
    return Reproducer(
        code=part.found.code,
        origin=part.block.origin,
        language=part.found.language,
        score=part.found.score,
        oracle=Oracle(kind=OracleKind.NONE),
        changes=part.found.changes,
    )


def _elsewhere(read: Sequence[Block | Prose]) -> Iterator[tuple[int, str]]:
    """Links to what may be the script, where there is none in the text."""
    for piece in read:
        if isinstance(piece, Prose):
            for what, pattern in ELSEWHERE:
                if pattern.search(piece.text[:20_000]):
                    yield piece.line, f"what it shows is only in {what}, which is not read"
