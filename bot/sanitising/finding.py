"""finding: what in a text would ping, refer, close or command once GitHub has read it.

The text is what a reader sees: escapes and character references are resolved, code and raw HTML are a HOLE, a link
that stays is a LINK. GitHub's own patterns are not published whole; these take more than those that are.
"""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from bot.sanitising.links import behind, may_link, quiet_form
from bot.sanitising.rules import ExitRules

HOLE = "\x00"
LINK = "\x01"
"""Control characters can't be in the text itself: they were made visible before."""

URLS = re.compile(
    r"(?:[a-z][a-z0-9+.-]{0,20}://|(?<![a-z0-9])(?:www\.|mailto:|xmpp:|(?:[a-z0-9-]{1,40}\.){0,3}github\.com[/:]))"
    r"[^\s<>\x00\x01`|]+",
    re.IGNORECASE,
)
TRAILING = "?!.,:;*_~'\""
MENTIONS = re.compile(r"(?<![A-Za-z0-9])@[A-Za-z0-9][\w-]*(?:[./][A-Za-z0-9][\w-]*)*", re.ASCII)
NUMBERS = re.compile(r"#\d\w*", re.ASCII)
GH_NUMBERS = re.compile(r"(?<![A-Za-z0-9])gh-\d\w*", re.ASCII | re.IGNORECASE)
HASHES = re.compile(r"(?<![0-9A-Za-z])[0-9A-Fa-f]{7,40}(?![0-9A-Za-z])")
BEFORE = re.compile(r"[A-Za-z0-9][\w./-]*\Z", re.ASCII)
FRACTION = re.compile(r"\d\.\Z")
LONGEST_NAME = 140
"""Characters of an owner with a repository."""
KEYWORDS = re.compile(
    r"(?<![A-Za-z0-9])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)[ \t]*+:?+[ \t]*+(?=[\s:*_~(\[\"'-]{0,40}"
    r"(?:\x01|[\w./-]{0,140}[#@]\w|https?://|www\.|gh-\d|[0-9a-f]{7}|(?:[a-z0-9-]{1,40}\.){0,3}github\.com))",
    re.ASCII | re.IGNORECASE,
)
COMMANDS = re.compile(r"(?<![^\n])[ \t]*(?P<command>/[A-Za-z][\w./-]*)", re.ASCII)


class Find(NamedTuple):
    """A stretch of the text that has to be written in another way."""

    start: int
    end: int
    kind: str
    instead: str | None = None
    """Markdown to write; None: the stretch as code."""


def finds(text: str, rules: ExitRules, odd: Collection[int] = ()) -> list[Find]:
    """All stretches, in order and apart: those that touch are one. `odd`: places that are written in another way."""
    kept: list[tuple[int, int]] = []
    found = [*_addresses(text, rules, kept, odd), *_numbers(text, rules, kept), *_hashes(text, rules, kept)]
    for kind, pattern in (("mention", MENTIONS), ("reference", GH_NUMBERS), ("closing keyword", KEYWORDS)):
        found += [Find(*one.span(), kind) for one in pattern.finditer(text)]
    found += [Find(*one.span("command"), "command") for one in COMMANDS.finditer(text)]
    outside = _outside(sorted(found), sorted(kept))
    return list(_joined(outside))


def _addresses(text: str, rules: ExitRules, kept: list[tuple[int, int]], odd: Collection[int]) -> Iterator[Find]:
    for one in URLS.finditer(text):
        url = one.group().rstrip(TRAILING)
        if url.endswith(")") and "(" not in url:
            url = url.rstrip(")" + TRAILING)
        start, end = one.start(), one.start() + len(url)
        if may_link(url, rules) and _stands_alone(text, start, end, odd):
            kept.append((start, end))
            continue
        named = behind(url)
        quiet = quiet_form(named, rules)
        if named and quiet:
            yield Find(start, end, "reference", f"[`{named.reference}`]({quiet})")
        else:
            yield Find(start, end, "reference" if named else "link")


def _stands_alone(text: str, start: int, end: int, odd: Collection[int]) -> bool:
    """Does a bare address end here for every parser? They read on in the source up to white space."""
    rest = text[end : end + 9].lstrip(TRAILING + ")")
    before = text[max(0, start - 1) : start]
    after = end + len(text[end : end + 9]) - len(rest)
    plain = not any(place in odd for place in range(start, after + 1))
    return plain and (not rest or rest[0].isspace()) and (not before or before.isspace() or before in "(*_")


def _numbers(text: str, rules: ExitRules, kept: list[tuple[int, int]]) -> Iterator[Find]:
    for one in NUMBERS.finditer(text):
        before = BEFORE.search(text, max(0, one.start() - LONGEST_NAME), one.start())
        start = before.start() if before else one.start()
        told = text[start : one.end()]
        whole = f"{rules.repository}{told}" if told.startswith("#") else told
        if whole.lower() in rules.references and not _glued(text, start):
            kept.append((start, one.end()))
            continue
        named = behind(f"https://github.com/{whole.replace('#', '/issues/')}")
        quiet = quiet_form(named, rules) if named and named.reference == whole.lower() else None
        yield Find(start, one.end(), "reference", f"[`{told}`]({quiet})" if quiet else None)


def _hashes(text: str, rules: ExitRules, kept: list[tuple[int, int]]) -> Iterator[Find]:
    for one in HASHES.finditer(text):
        start = one.start()
        fraction = one.group().rstrip("eE").isdigit() and FRACTION.search(text, max(0, start - 2), start)
        if fraction:
            continue
        if text[start - 1 : start] == "@":
            before = BEFORE.search(text, max(0, start - 1 - LONGEST_NAME), start - 1)
            start = before.start() if before else start - 1
        if text[start : one.end()].lower() in rules.references and not _glued(text, start):
            kept.append((start, one.end()))
        else:
            yield Find(start, one.end(), "reference")


def _glued(text: str, start: int) -> bool:
    """Does a sign stand right before that GitHub may read as part of the name?"""
    return text[max(0, start - 1) : start] in set("@#/._-&")


def _outside(found: list[Find], kept: list[tuple[int, int]]) -> Iterator[Find]:
    """Those that don't lie within a stretch that stays; a closing keyword before one goes all the same."""
    place = 0
    for one in found:
        while place < len(kept) and kept[place][1] <= one.start:
            place += 1
        if place == len(kept) or one.start < kept[place][0] or kept[place][1] < one.end:
            yield one


def _joined(found: Iterator[Find]) -> Iterator[Find]:
    """Stretches that touch or overlap become one, which is code."""
    last: Find | None = None
    for one in found:
        if last is None or one.start > last.end:
            if last:
                yield last
            last = one
        elif one.end > last.end:
            last = Find(last.start, one.end, last.kind)
    if last:
        yield last
