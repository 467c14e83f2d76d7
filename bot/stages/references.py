"""references: which issues and pull requests a tracker's text names, under every style that titles and bodies have.

`[XPU alignment] pytorch/pytorch #N: ...`, `[xpu-alignment] [yy-mm-dd] ...`, `[ai_generated] ...`, a misspelt
`[xpu-aglinment]`, links, `owner/name#N`, `name#N`, `PR #N`, `pr-N`. A bare number above the item's own is none of its
own tracker's: when it was written, there was no such number there.
"""

import re
from collections.abc import Iterator
from itertools import islice

from bot.windows.landing import MENTION

TAG = re.compile(r"\s{0,4}\[(?P<tag>[^\]\n]{1,40})\]")
LETTERS = re.compile(r"[^a-z]")
ALIGNMENT = sorted("xpualignment")
URL = re.compile(
    r"https?://(?:[\w-]{1,40}\.)?github\.com/(?P<repo>[\w.-]{1,60}/[\w.-]{1,100})/(?:issues|pull)/(?P<number>[1-9]\d{0,8})",
    re.A,
)
WRITTEN = re.compile(r"\b(?:pr|pull request|pull|issue|gh)[ -]{1,2}(?P<number>[1-9]\d{3,8})\b", re.A | re.I)
BEFORE = re.compile(r"(?P<repo>[\w.-]{1,60}/[\w.-]{1,100}) ?(?:(?:PR|issue|pull request) ?)?$", re.A | re.I)
NAME = re.compile(r"(?<![\w/.-])(?P<name>[\w.-]{1,100})$", re.A)
NO_NAMES = frozenset(("gh", "issue", "pr", "pull"))
HEADING = re.compile(r"\s{0,3}(?:#{1,6}\s|\*\*|__)")
SOURCE = re.compile(r"[\s>*_#-]{0,12}(?:upstream|source|original(?:ly)?)\b", re.I)
ASIDE = re.compile(r"not part of this change|also linked|related|see also", re.I)
NUMBERS = 200
"""References of a text that are looked at."""
LINES = 400


def bare_title(title: str) -> tuple[str, bool]:
    """A title without its tags, and whether one of them says that it is an alignment tracker."""
    at, aligned = 0, False
    while (tag := TAG.match(title, at)) is not None:
        letters = LETTERS.sub("", tag["tag"].lower())
        aligned |= sorted(letters) == ALIGNMENT
        at = tag.end()
    return title[at:].strip(), aligned


def references(text: str, own: int) -> frozenset[str]:
    """`owner/name#N`, `name#N` where only a name is given, `#N` where none is; in small letters."""
    return frozenset(key for _, key in _found(text, own))


def declared(body: str, own: int) -> frozenset[str]:
    """The reference that a text gives as its source: the first one below each heading, or in a line, that says so."""
    found: list[str] = []
    waiting = False
    for line in body.split("\n", LINES)[:LINES]:
        if SOURCE.match(line[:200]):
            waiting = True
        elif HEADING.match(line[:12]):
            waiting = False
        if waiting and not ASIDE.search(line[:300]):
            first = min(_found(line[:2_000], own), default=None)
            if first is not None:
                found.append(first[1])
                waiting = False
    return frozenset(found)


def spellings(key: str) -> frozenset[str]:
    """The ways in which `owner/name#N` may be found in a text."""
    repo, _, number = key.lower().rpartition("#")
    return frozenset((key.lower(), f"{repo.rpartition('/')[2]}#{number}", f"#{number}"))


def _found(text: str, own: int) -> Iterator[tuple[int, str]]:
    """Place and key of each reference."""
    for match in islice(URL.finditer(text), NUMBERS):
        yield match.start(), f"{match['repo']}#{match['number']}".lower()
    for match in islice(MENTION.finditer(text), NUMBERS):
        before = text[max(0, match.start() - 180) : match.start()]
        if (repo := BEFORE.search(before)) is not None:
            yield match.start(), f"{repo['repo']}#{match['number']}".lower()
        elif (name := NAME.search(before)) is not None and name["name"].lower() not in NO_NAMES:
            yield match.start(), f"{name['name']}#{match['number']}".lower()
        elif int(match["number"]) > own:
            yield match.start(), f"#{match['number']}"
    for match in islice(WRITTEN.finditer(text), NUMBERS):
        if int(match["number"]) > own:
            yield match.start(), f"#{match['number']}"
