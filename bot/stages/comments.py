"""comments: what people tell the bot on its own issues, read from the Markdown tree.

A command is a line of a paragraph that begins with `/alignbot`. What stands in code, in a quotation, in a list or in an
HTML comment is no command: it is often about one.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from enum import StrEnum
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.model import Value

NAME = "/alignbot"
LONGEST, MOST = 20_000, 5
"""Characters of a comment that are read, and commands that one may hold."""
LONGEST_REASON = 500
NUMBER = re.compile(r"#?(?P<number>[1-9]\d{0,8})(?=[\s,.;:]|$)")
SPAN = re.compile(r"(?P<count>[1-9]\d{0,3})(?P<unit>[dh])\b")
LONGEST_SNOOZE = timedelta(days=366)


class Verb(StrEnum):
    """What may be asked for."""

    DUP = "dup"
    UNDUP = "undup"
    INVALID = "invalid"
    RETEST = "retest"
    SNOOZE = "snooze"
    EXPLAIN = "explain"
    HELP = "help"


class Command(Value):
    """One line of a comment that is for us."""

    verb: Verb | None
    """None where it is not understood."""
    said: str
    """The line, short."""
    number: int | None = None
    """Of `dup`: the other issue."""
    span: timedelta | None = None
    """Of `snooze`: for how long."""
    reason: str = ""
    """The rest of the line; of one that is not understood what is wrong with it."""


def commands(body: str) -> tuple[Command, ...]:
    """The commands of a comment, in their order."""
    if NAME not in body:
        return ()
    parser = MarkdownIt("commonmark", {"maxNesting": 20})
    found = (line for token in _paragraphs(parser.parse(body[:LONGEST])) for line in _lines(token))
    return tuple(_read(line) for line in found if line == NAME or line.startswith((f"{NAME} ", f"{NAME}\t")))[:MOST]


def _paragraphs(tokens: Sequence[Token]) -> Iterator[Token]:
    """The inline tokens of paragraphs that stand in nothing else."""
    for before, token in pairwise(tokens):
        if token.type == "inline" and before.type == "paragraph_open" and before.level == 0:
            yield token


def _lines(token: Token) -> Iterator[str]:
    """The lines of a paragraph that begin with plain text. A break inside of code or of a comment is none."""
    line: list[str] = []
    plain = True
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            yield from [("".join(line)).strip()] * plain
            line, plain = [], True
        else:
            plain = plain and (bool("".join(line)) or child.type == "text")
            line.append(child.content if child.type in ("text", "code_inline", "text_special") else "")
    yield from [("".join(line)).strip()] * plain


def _read(line: str) -> Command:
    said = line.removeprefix(NAME).strip()
    word, rest = [*said.split(maxsplit=1), "", ""][:2]
    shown, rest = f"{NAME} {said}"[:80].strip(), rest.strip()[:LONGEST_REASON]
    try:
        verb = Verb(word.lower())
    except ValueError:
        return Command(verb=None, said=shown, reason=f"there is no '{word[:20]}'" if word else "what is to be done?")
    if verb is Verb.DUP:
        match = NUMBER.match(rest)
        if match is None:
            return Command(verb=None, said=shown, reason="say of which issue: `dup #12`")
        return Command(verb=verb, said=shown, number=int(match["number"]), reason=_rest(rest, match))
    if verb is Verb.SNOOZE:
        match = SPAN.match(rest)
        span = timedelta(**_span(match)) if match else None
        if match is None or span is None or span > LONGEST_SNOOZE:
            return Command(verb=None, said=shown, reason="say for how long, a year at the most: `snooze 14d`")
        return Command(verb=verb, said=shown, span=span, reason=_rest(rest, match))
    return Command(verb=verb, said=shown, reason=rest)


def _span(match: re.Match[str]) -> dict[str, int]:
    return {{"d": "days", "h": "hours"}[match["unit"]]: int(match["count"])}


def _rest(text: str, match: re.Match[str]) -> str:
    return text[match.end() :].lstrip(" ,.;:-").strip()
