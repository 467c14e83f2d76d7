"""blocks: one round over a whole body; each block is left alone, edited in place, or shown as code."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from markdown_it.token import Token

from bot.sanitising.finding import HOLE, finds
from bot.sanitising.inline import Edit, edits
from bot.sanitising.rules import ExitRules
from bot.sanitising.tree import Budget, atoms, blocks, definitions, places, places_in_row

FOLD = re.compile(r" {0,3}(?:<details(?: open)?>|</details>|<summary>[^<>&@#:`\\]*</summary>|<br ?/?>)+\s*")
"""A line of HTML that may stay."""
TAG = re.compile(r"<[^>]*>")
FOLD_TAGS = re.compile(r"</?(?:details|summary)")
DELIMITER_ROW = re.compile(r"(?=[^-]*-)[ \t|:-]+")
MOST_COLUMNS = 100
INDENT = "    "
"""What makes code without a fence."""


class Source(NamedTuple):
    """A body, its lines, and where each begins."""

    text: str
    lines: list[str]
    starts: list[int]


def once(text: str, rules: ExitRules, budget: Budget, counts: Counter[str]) -> str:
    """One round. Raises Tangled for what no person writes."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    source = Source(text, lines, starts)
    budget.spend(len(text))
    tokens = blocks(text)
    tops = [(token.map[0], token.map[1]) for token in tokens if token.level == 0 and token.map and token.nesting >= 0]
    flat: set[tuple[int, int]] = set()
    found: list[Edit] = []
    folds = _folds(tokens)
    env = definitions(text)
    for token, row in _with_rows(tokens):
        told = _of(token, row, source, rules, budget, env, folds)
        if told is None:
            assert token.map is not None  # noqa: S101  only placed blocks are judged
            flat.add(tops[bisect_right(tops, (token.map[0], len(lines) + 1)) - 1])
        else:
            found += told
    return _applied(source, found, flat, counts)


def fenced(text: str) -> str:
    """The text as one block of code."""
    lines = text.strip("\n").split("\n")
    if all(line.startswith(INDENT) or not line.strip() for line in lines):
        lines = [line[len(INDENT) :] for line in lines]
    content = "\n".join(lines)
    ticks = "`" * max(3, 1 + longest(content, "`"))
    return f"{ticks}text\n{content}\n{ticks}\n"


def longest(text: str, mark: str) -> int:
    """Length of the longest run of a mark."""
    return max((len(run) for run in re.findall(re.escape(mark) + "+", text)), default=0)


def _with_rows(tokens: Sequence[Token]) -> Iterator[tuple[Token, list[Token]]]:
    """Each block with something in it; a row of a table as one, with its cells."""
    row: list[Token] = []
    in_row = False
    for token in tokens:
        if token.type == "tr_open":
            row, in_row = [], True
        elif token.type == "tr_close":
            in_row = False
            yield row[0], row
        elif token.type == "inline" and in_row:
            row.append(token)
        elif token.type in ("inline", "fence", "code_block", "html_block"):
            yield token, []


def _of(
    token: Token,
    row: list[Token],
    source: Source,
    rules: ExitRules,
    budget: Budget,
    env: dict[str, Any],
    folds: bool,
) -> list[Edit] | None:
    """Edits in places of the source; None: the block has to be shown as code."""
    if row:
        return _of_row(row, source, rules, budget, env)
    if token.type == "inline":
        return _of_inline(token, source, rules, budget, env)
    if token.type == "fence":
        return _of_fence(token, source)
    if token.type == "code_block":
        return _of_indented(token, rules)
    return _of_html(token, source, rules, folds)


def _of_row(
    row: list[Token], source: Source, rules: ExitRules, budget: Budget, env: dict[str, Any]
) -> list[Edit] | None:
    assert row[0].map is not None  # noqa: S101
    number = row[0].map[0]
    contents = [token.content for token in row]
    placed = places_in_row(contents, source.lines[number], source.starts[number])
    if placed is None or len(row) > MOST_COLUMNS:
        return None
    found: list[Edit] = []
    for content, at in zip(contents, placed, strict=True):
        for one in edits(content, atoms(content, env, budget), rules):
            cell = re.sub(r"(?<!\\)\|", r"\\|", one.text)
            found.append(Edit(at[one.start], at[one.end - 1] + 1, cell, one.kind))
    return found


def _of_inline(
    token: Token, source: Source, rules: ExitRules, budget: Budget, env: dict[str, Any]
) -> list[Edit] | None:
    content = token.content
    if any(DELIMITER_ROW.fullmatch(line) for line in content.split("\n")[1:]):
        return None  # another parser might see a table here, and cells where we see code
    found = edits(content, atoms(content, env, budget), rules)
    if not found:
        return []
    at = places(token, source.lines, source.starts)
    if at is None:
        return None
    return [Edit(at[one.start], at[one.end - 1] + 1, one.text, one.kind) for one in found]


def _of_fence(token: Token, source: Source) -> list[Edit] | None:
    assert token.map is not None  # noqa: S101
    first, end = token.map
    told = token.content.count("\n") + (not token.content.endswith("\n") and token.content != "")
    if told != end - first - 2 or token.markup not in source.lines[end - 1]:
        if token.level:
            return None
        return [Edit(len(source.text), len(source.text), _closing(source.text, token.markup), "open fence")]
    mark, length = token.markup[0], len(token.markup)
    more = longest(token.content, mark) + 1 - length
    if more <= 0:
        return []
    opening = source.starts[first] + source.lines[first].index(token.markup)
    closing = source.starts[end - 1] + source.lines[end - 1].index(token.markup)
    return [Edit(place, place, mark * more, "fence") for place in (opening, closing)]


def _closing(text: str, markup: str) -> str:
    return f"{'' if text.endswith(chr(10)) else chr(10)}{markup}\n"


def _of_indented(token: Token, rules: ExitRules) -> list[Edit] | None:
    """Four blanks make code only where nothing else begins: what would be active outside goes into a fence."""
    active = finds(token.content, rules) or re.search(r"[<\[&`]", token.content)
    return None if active else []


def _folds(tokens: Sequence[Token]) -> bool:
    """Do the `<details>` and `<summary>` of all blocks of HTML open and close in order, outside quotes and lists?"""
    open_tags: list[str] = []
    for token in tokens:
        for tag in FOLD_TAGS.findall(token.content) if token.type == "html_block" else ():
            name = tag.strip("</")
            if token.level or (tag.startswith("</") and (not open_tags or open_tags.pop() != name)):
                return False
            if not tag.startswith("</"):
                open_tags.append(name)
    return not open_tags


def _may_stay(line: str, rules: ExitRules, folds: bool) -> bool:
    """A line of allowed tags; Markdown is not read between them, so words that would need marks don't stay."""
    if not FOLD.fullmatch(line) or (FOLD_TAGS.search(line) and not folds):
        return False
    return not finds(TAG.sub(HOLE, line), rules)


def _of_html(token: Token, source: Source, rules: ExitRules, folds: bool) -> list[Edit] | None:
    assert token.map is not None  # noqa: S101
    first, end = token.map
    lines = token.content.split("\n")[: end - first]
    may_stay = [_may_stay(line, rules, folds) for line in lines]
    if not token.level and may_stay[0]:
        if all(may_stay):
            return []
        place = source.starts[first + may_stay.index(False)]
        return [Edit(place, place, "\n", "HTML")]
    found = []
    for number in range(first, end):
        for one in re.finditer("<", source.lines[number]):
            place = source.starts[number] + one.start()
            found.append(Edit(place, place + 1, "&lt;", "HTML"))
    return found


def _applied(source: Source, found: Sequence[Edit], flat: set[tuple[int, int]], counts: Counter[str]) -> str:
    """The text with the edits made and the flat blocks fenced."""
    whole = []
    for first, end in sorted(flat):
        start, stop = source.starts[first], min(source.starts[end], len(source.text))
        whole.append(Edit(start, stop, fenced(source.text[start:stop]), "shown as code"))
    made: list[str] = []
    place = 0
    for one in sorted([*whole, *found], key=lambda edit: (edit.start, -edit.end)):
        if one.start < place:
            continue  # inside a block that is shown as code
        made += [source.text[place : one.start], one.text]
        place = one.end
        counts[one.kind] += 1
    return "".join(made) + source.text[place:]
