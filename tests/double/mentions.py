"""Which threads a text points at, and which it says it closes: GitHub links both by itself."""

import re
from collections.abc import Iterator

ADDRESS = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+)/(?:issues|pull)/(\d+)\b")
NUMBER = re.compile(r"#(\d+)\b")
BEFORE_NUMBER = re.compile(r"(?:^|[^\w/.-])([\w.-]+/[\w.-]+)?$")
CLOSES = re.compile(r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?\s+$", re.IGNORECASE)
REACH = 120
"""How far before a number its repository or the word `fixes` may begin."""


def mentioned(text: str, here: str) -> list[tuple[str, int]]:
    """Repository and number of each thread that a text of repository `here` points at, once each."""
    return list(dict.fromkeys((name, number) for name, number, _ in _references(text, here)))


def closing(text: str, here: str) -> list[int]:
    """The numbers of repository `here` that a text says it closes, once each."""
    found = (
        number
        for name, number, start in _references(text, here)
        if name.lower() == here.lower() and CLOSES.search(text[max(0, start - REACH) : start])
    )
    return list(dict.fromkeys(found))


def _references(text: str, here: str) -> Iterator[tuple[str, int, int]]:
    """Repository, number, and where the reference begins."""
    for match in ADDRESS.finditer(text):
        yield match[1], int(match[2]), match.start()
    for match in NUMBER.finditer(text):
        before = text[max(0, match.start() - REACH) : match.start()]
        named = BEFORE_NUMBER.search(before)
        if named is not None:
            start = match.start() - len(named[1] or "")
            yield named[1] or here, int(match[1]), start
