"""value: a value as somebody wrote it into a sentence, a comment or a block of output."""

import re

from bot.stages.wording import INNARDS, NUMBER, OPENS, WORD

LONGEST = 2_000
"""Characters of a value."""

SEVERAL = re.compile(r"(?:[-+]?(?:[\d.]{1,30}(?:e[-+]?\d{1,3})?|inf|nan|True|False)[ ,]{1,3}){1,20}[-+\w.]{1,30}(?=`)")
"""Values that are printed beside each other, in a code span."""


def value_at(text: str, start: int) -> str | None:
    """The value that begins at `start`, or None."""
    opened = OPENS.match(text, start)
    if opened:
        return _bracketed(text, start, opened.end(), call=opened[0] not in ("[", "("))
    several = SEVERAL.match(text, start) if text[start - 1 : start] == "`" else None
    if several:
        return several[0]
    number = NUMBER.match(text, start)
    if number:
        return number["number"].rstrip(".") if number["number"] != "." else None
    word = WORD.match(text, start)
    quoted = text[start - 1 : start] == '"'
    return (word["word"].split('"')[0] if quoted else word["word"]).strip() if word else None


def is_value(text: str) -> bool:
    """Is the text a value and nothing else?"""
    plain = text.strip("`*_ \n.")
    value = value_at(plain, 0)
    return value is not None and len(plain) - len(value) < 3


def _bracketed(text: str, start: int, inner: int, *, call: bool) -> str | None:
    """Up to the closing bracket; a list of numbers, or what a tensor prints."""
    level = 0
    for position in range(inner - 1, min(len(text), start + LONGEST)):
        level += (text[position] in "[({") - (text[position] in "])}")
        if level == 0:
            value = text[start : position + 1]
            return value if call or _numbers(value) else None
    return None


def _numbers(value: str) -> bool:
    """A list of values; a lone one in parentheses is an aside."""
    if value[0] == "(" and "," not in value:
        return False
    return bool(re.search(r"\d|nan|inf|True|False|NaN", value)) and not INNARDS.sub("", value)
