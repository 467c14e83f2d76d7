"""extract: from a thread's text to the code that shows the fault, best first."""

import ast
from collections.abc import Iterable, Iterator, Sequence

from bot.model import Block, Found, Item, Oracle, OracleKind, Passed, Reproducer
from bot.registry import Rule
from bot.stages.context import around
from bot.stages.imports import with_imports
from bot.stages.join import Part, Script, joined, part_of
from bot.stages.markdown import Prose, pieces
from bot.stages.marks import ELSEWHERE
from bot.stages.needs import barring, needs
from bot.stages.oracle import oracle
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


def extract_text(
    text: str, rules: Sequence[Rule], where: str = "body", item: str | None = None
) -> tuple[list[Reproducer], list[str]]:
    """Reproducers of one Markdown text, best first, and a line for each block that was passed over."""
    return _extracted(pieces(text, where, item=item), rules, where, BUDGET)


def _extracted(
    read: Sequence[Block | Prose], rules: Sequence[Rule], where: str, left: int
) -> tuple[list[Reproducer], list[str]]:
    """As above, of a text that is read; so many characters of its blocks are left to be asked about."""
    parts: list[Part] = []
    passed: list[tuple[int, str]] = []
    for block in (one for one in read if isinstance(one, Block)):
        left -= len(block.text) + EACH
        answer = _too_long(block) or (_ask(block, rules) if left >= 0 else _too_much())
        if isinstance(answer, Passed):
            passed += [] if block.loose else [(block.line, answer.why)]
        else:
            parts.append(part_of(block, answer))
    scripts, alone = _scripts(parts)
    passed += [(part.block.line, _no_rule(part.block).why) for part in alone]
    code = {
        number
        for number, one in enumerate(read)
        if any(one is part.block for script in scripts for part in script.parts)
    }
    found = [one for script in scripts for one in _reproducers(script, read, code)]
    found += [_listed(part) for part in parts if part.found.language != "python"]
    if not any(one.language == "python" for one in found):
        passed += _elsewhere(read)
    return ranked(found), [f"{where}, line {line}: {why}" for line, why in sorted(passed)]


def extract_item(item: Item, rules: Sequence[Rule]) -> tuple[list[Reproducer], list[str]]:
    """Reproducers of an item's body and comments, best first, and what was passed over."""
    read = pieces(item.body, "body", item=item.key)
    found, passed = _extracted(read, rules, "body", BUDGET)
    left = BUDGET - _cost(read)
    for number, comment in enumerate(item.comments):
        read = pieces(comment.body, f"comment {number}", item=item.key)
        more, over = _extracted(read, rules, f"comment {number}", left)
        left -= _cost(read)
        if by_a_bot(comment):
            passed += [f"comment {number}, line 1: a program wrote it ({comment.author})"] if more else []
            continue
        best = next((one for one in ranked(found) if one.language == "python"), None)
        found += preferred(comment, item, more, best)
        passed += over
    tests, over = from_tests(item)
    found += [one.model_copy(update={"needs": needs(one.code, ast.parse(one.code))}) for one in tests]
    return ranked(found), passed + over


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


def _cost(read: Iterable[Block | Prose]) -> int:
    """What a text's blocks take of an item's budget."""
    return sum(len(one.text) + EACH for one in read if isinstance(one, Block))


def _scripts(parts: Sequence[Part]) -> tuple[list[Script], list[Part]]:
    """Joined scripts, and the blocks that are nothing by themselves and belong to no script."""
    scripts = joined([part for part in parts if not _amends(part)])
    kept = [one for one in scripts if one.score >= SURE and (one.chief.found.score >= SURE or len(one.parts) > 1)]
    used = {id(part) for script in kept for part in script.parts}
    return kept, [part for part in parts if part.found.language == "python" and id(part) not in used]


def _amends(part: Part) -> bool:
    """Does it only bind anew what it takes from elsewhere, `x = x.contiguous()`, and show nothing?"""
    bound, free = part.names
    return bool(bound) and bound <= free and "print(" not in part.found.code and "torch." not in part.found.code


def _reproducers(script: Script, read: Sequence[Block | Prose], code: set[int]) -> list[Reproducer]:
    """The script; and its blocks alone where one of them can run and the whole can't."""
    whole = _reproducer(script, read, code)
    if len(script.parts) == 1 or not barring(whole.needs):
        return [whole]
    alone = [_reproducer(Script((part,), part), read, code) for part in script.parts if part.found.score >= SURE]
    return [whole, *(one for one in alone if not barring(one.needs))]


def _reproducer(script: Script, read: Sequence[Block | Prose], code: set[int]) -> Reproducer:
    whole, added = with_imports(script.code)
    tree = parsed(whole)
    wants = needs(whole, tree) if tree else ()
    said = oracle(whole, tree, around(script, read, code)) if tree else Oracle(kind=OracleKind.NONE)
    ended, told = with_ending(whole)
    return Reproducer(
        code=ended,
        origin=script.parts[0].block.origin if len(script.parts) > 1 else script.chief.block.origin,
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
