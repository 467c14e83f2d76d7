"""format_fields: the pieces of an f-string. Before Python 3.12 the standard parser's positions inside one are wrong.

Python has accepted the text before it comes here, so only what may stand in such a string is told apart. It is read as
bytes, one character each: all that means something in it is ASCII.
"""

import re
from typing import NamedTuple

OPENING = re.compile(r"(?P<prefix>[A-Za-z]{0,2})(?P<quote>'''|\"\"\"|'|\")")
BETWEEN = re.compile(r"(?:\s|\\\r?\n|#[^\r\n]*)*")
IN_TEXT = re.compile(r"[{}\\'\"]")
IN_FIELD = re.compile(r"[()\[\]{}'\":!#]")
IN_SPECIFICATION = re.compile(r"[{}]")
DEBUG = re.compile(r"(?<![=!<>])=\s*\Z")
"""What is shown with its own text: `{x = }`."""
LINE = re.compile(r"[^\r\n]*")


class Piece(NamedTuple):
    """A piece of an f-string: `start` and `end` are bytes of its source."""

    start: int
    end: int
    text: str | None
    """What it says, where it is the string's first or only text; None for the expression of a field."""
    alone: bool
    """Is there nothing else in the string?"""
    quote: str


class _UnreadError(ValueError):
    """The text is no f-string as it is known here."""


def pieces(source: str) -> list[Piece]:
    """Pieces of an f-string's source, also of several strings side by side. Empty where it can't be read."""
    content = source.encode().decode("latin-1")
    literals: list[list[Piece]] = []
    position = 0
    try:
        while position < len(content):
            found: list[Piece] = []
            position = _literal(content, _opening(content, position), found)
            literals.append(found)
            blank = BETWEEN.match(content, position)
            position = blank.end() if blank else position
    except (_UnreadError, RecursionError):
        return []
    if len(literals) == 1:
        return literals[0]
    # Side by side none of them stands for itself: only their fields are code.
    return [piece for found in literals for piece in found if piece.text is None]


def _literal(content: str, opening: re.Match[str], found: list[Piece]) -> int:
    """Where a string ends; its pieces are put into `found`."""
    quote, prefix = opening["quote"], opening["prefix"].lower()
    here = begin = opening.end()
    fields: list[tuple[int, int]] = []
    while not content.startswith(quote, here := _next(IN_TEXT, content, here)):
        if content[here] == "\\":
            here = _escape(content, here, raw="r" in prefix)
        elif "f" not in prefix or content[here] in "'\"":
            here += 1
        elif content[here] == "}" or content.startswith("{{", here):
            here += 2
        else:
            start, here = here, _field(content, here, quote, found)
            fields.append((start, here))
    if "f" in prefix:
        first, last = fields[0] if fields else (here, here)
        alone = not fields
        if len(fields) <= 1 and last == here and first > begin:
            said = content[begin:first].encode("latin-1").decode()
            found.insert(0, Piece(begin, first, said, alone, quote))
    return here + len(quote)


def _escape(content: str, here: int, *, raw: bool) -> int:
    """The place behind a backslash and what belongs to it; a field's brace doesn't."""
    if not raw and content.startswith("\\N{", here):
        return content.index("}", here) + 1
    return here + (1 if content[here + 1 : here + 2] in ("{", "}") else 2)


def _field(content: str, here: int, quote: str, found: list[Piece]) -> int:
    """The place behind a field; its expression and those of its specification are put into `found`."""
    start, depth = here + 1, 0
    here = _next(IN_FIELD, content, start)
    while depth or content[here] not in ":!}" or content.startswith("!=", here):
        sign = content[here]
        if sign in "'\"":
            here = _inner(content, start, here)
        elif sign == "#":
            here = max(here + 1, _end(LINE, content, here))
        else:
            depth += (sign in "([{") - (sign in ")]}")
            here += 2 if sign == "!" else 1
        here = _next(IN_FIELD, content, here)
    expression = content[start:here]
    shown = DEBUG.search(expression)
    expression = expression[: shown.start()] if shown else expression
    begin = start + len(expression) - len(expression.lstrip())
    found.append(Piece(begin, begin + len(expression.strip()), None, alone=False, quote=quote))
    while content[here] != "}":
        here = _next(IN_SPECIFICATION, content, here)
        if content[here] == "{":
            here = _field(content, here, quote, found)
    return here + 1


def _inner(content: str, start: int, here: int) -> int:
    """The place behind a string in a field's expression."""
    prefix = here
    while prefix > max(start, here - 2) and content[prefix - 1].isalpha():
        prefix -= 1
    return _literal(content, _opening(content, prefix), [])


def _opening(content: str, here: int) -> re.Match[str]:
    match = OPENING.match(content, here)
    if match is None:
        raise _UnreadError
    return match


def _next(pattern: re.Pattern[str], content: str, here: int) -> int:
    match = pattern.search(content, here)
    if match is None:
        raise _UnreadError
    return match.start()


def _end(pattern: re.Pattern[str], content: str, here: int) -> int:
    match = pattern.match(content, here)
    return match.end() if match else here
